package posture_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"demarc/store/posture"
)

// sameAnswer compares what ChangesAt watches.
func sameAnswer(a, b posture.Verdict) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(posture.Verdict{}, "Acceptance", "Lapsed", "PathsTested"), cmpopts.EquateEmpty())
}

func TestChangesAt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		known, at := drawClocks(t)
		shift := known.Sub(at)
		judge := func(at time.Time) posture.Verdict { return posture.Judge(f, at.Add(shift), at) }
		before := judge(at)
		changes := posture.ChangesAt(f, known, at)
		end := at.Add(1500 * posture.Day)
		if !changes.IsZero() {
			if !changes.After(at) {
				t.Fatalf("changes at %v, not after %v", changes, at)
			}
			if sameAnswer(before, judge(changes)) == "" {
				t.Fatalf("nothing changes at %v", changes)
			}
			end = changes.Add(-posture.Tick)
		}
		if diff := sameAnswer(before, judge(end)); diff != "" {
			t.Fatalf("at %v, before the change at %v (-at +then):\n%s", end, changes, diff)
		}
		for range 8 {
			between := at.Add(time.Duration(rapid.Int64Range(0, int64(end.Sub(at)/posture.Tick)).Draw(t, "ticks later")) * posture.Tick)
			if diff := sameAnswer(before, judge(between)); diff != "" {
				t.Fatalf("at %v, between %v and %v (-at +then):\n%s", between, at, changes, diff)
			}
		}
	})
}

func TestChangesAtCases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		world string
		want  time.Time
	}{
		"nothing recorded never changes":          {"V01", time.Time{}},
		"a pair lapses one tick after its window": {"V07", day(280).Add(posture.Tick)},
		"a pair in its last instant":              {"V12", day(280).Add(posture.Tick)},
		"an acceptance lapses at its end":         {"V27", day(150)},
		"a failure never lapses by itself":        {"V22", time.Time{}},
	} {
		w := goldenWorld(t, c.world)
		if got := posture.ChangesAt(&w.Facts, w.Known, w.At); !got.Equal(c.want) {
			t.Errorf("%s: %s changes at %v, want %v", name, c.world, got, c.want)
		}
	}
}

// BenchmarkChangesAt judges ten years of nightly pairs.
func BenchmarkChangesAt(b *testing.B) {
	f := nightly(3650)
	for b.Loop() {
		posture.ChangesAt(f, day(3650), day(3650))
	}
}
