package posture_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// answer is the `want` of a golden case (model.md §2.10).
type answer struct {
	Label         string   `json:"label"`
	EvidenceState string   `json:"evidence_state"`
	Rung          string   `json:"rung"`
	BestEver      string   `json:"best_ever"`
	Met           bool     `json:"met"`
	OpenNegatives []string `json:"open_negatives"`
}

func answerOf(v *posture.Verdict) answer {
	return answer{
		Label: v.Label.String(), EvidenceState: v.State.String(), Rung: v.Rung.String(),
		BestEver: v.Best.String(), Met: v.Met, OpenNegatives: v.OpenNegatives(),
	}
}

func day(n int) time.Time { return time.Unix(0, 0).UTC().AddDate(0, 0, n) }

// golden reads the 70 cases and the answers they must give.
func golden(tb testing.TB) ([]posture.World, []answer) {
	tb.Helper()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		tb.Fatal(err)
	}
	worlds, array, err := posture.ReadWorlds(bytes.NewReader(b))
	if err != nil || !array || len(worlds) != 70 {
		tb.Fatalf("ReadWorlds: %d worlds, array %t, %v; want an array of 70", len(worlds), array, err)
	}
	var wants []struct{ Want answer }
	if err := json.Unmarshal(b, &wants); err != nil {
		tb.Fatal(err)
	}
	answers := make([]answer, len(wants))
	for i := range wants {
		answers[i] = wants[i].Want
	}
	return worlds, answers
}

// goldenWorld gives the case whose name starts with prefix, such as "V07".
func goldenWorld(tb testing.TB, prefix string) posture.World {
	tb.Helper()
	worlds, _ := golden(tb)
	for _, w := range worlds {
		if len(w.Name) > len(prefix) && w.Name[:len(prefix)] == prefix {
			return w
		}
	}
	tb.Fatalf("no golden case %s", prefix)
	return posture.World{}
}

// TestGolden runs the 70 cases of model.md §2.10 on every key of their want.
func TestGolden(t *testing.T) {
	t.Parallel()
	worlds, wants := golden(t)
	for i := range worlds {
		t.Run(worlds[i].Name, func(t *testing.T) {
			t.Parallel()
			v := worlds[i].Judge()
			if diff := cmp.Diff(wants[i], answerOf(&v)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}
