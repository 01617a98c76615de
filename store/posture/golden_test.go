package posture_test

import (
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
	a := answer{
		Label: v.Label.String(), EvidenceState: v.State.String(), Rung: v.Rung.String(),
		BestEver: v.Best.String(), Met: v.Met, OpenNegatives: v.OpenNegatives(),
	}
	if a.OpenNegatives == nil {
		a.OpenNegatives = []string{}
	}
	return a
}

type goldenWorld struct {
	Name, Statement, Required string
	Subject, Criticality      string
	Target                    map[string]string
	Day                       int
	KnownDay                  *int `json:"known_day"`
	Paths                     []string
	Evidence                  []struct {
		ID, Kind, Statement, Polarity, By, Run, Case, Expected, Outcome, Advisory string
		Identity                                                                  map[string]string
		ObservedDay                                                               int  `json:"observed_day"`
		RecordedDay                                                               int  `json:"recorded_day"`
		WithdrawnDay                                                              *int `json:"withdrawn_day"`
		ValidUntilDay                                                             *int `json:"valid_until_day"`
		PreGA                                                                     bool `json:"pre_ga"`
		ControlOK                                                                 bool `json:"control_ok"`
	}
	Closures []struct {
		ID, Closes, Kind string
		Identity         map[string]string
		AtDay            *int `json:"at_day"`
		RevokedDay       *int `json:"revoked_day"`
		Evidence         []string
	}
	Acceptances []struct {
		ID, Statement string
		Covers        []string
		Shortfall     bool
		Identity      map[string]string
		AtDay         *int `json:"at_day"`
		ExpiresDay    *int `json:"expires_day"`
		RevokedDay    *int `json:"revoked_day"`
	}
	NotApplicable []struct {
		Statement  string
		Identity   map[string]string
		AtDay      *int `json:"at_day"`
		ExpiresDay *int `json:"expires_day"`
	} `json:"not_applicable"`
	Want answer
}

func day(n int) time.Time { return time.Unix(0, 0).UTC().AddDate(0, 0, n) }

func dayOr(n *int) time.Time {
	if n == nil {
		return time.Time{}
	}
	return day(*n)
}

// must reads a stored name that the golden file is known to spell.
func must[T any](t *testing.T, parse func(string) (T, error), s, absent string) T {
	t.Helper()
	if s == "" {
		s = absent
	}
	v, err := parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (w *goldenWorld) facts(t *testing.T) *posture.Facts {
	t.Helper()
	identity := func(m map[string]string) posture.Identity {
		id, err := posture.ParseIdentity(m)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	f := &posture.Facts{
		Statement: w.Statement, Target: identity(w.Target), Paths: w.Paths,
		Subject:     must(t, posture.ParseSubjectKind, w.Subject, "unit"),
		Criticality: must(t, posture.ParseCriticality, w.Criticality, "normal"),
		Required:    must(t, posture.ParseRung, w.Required, ""),
	}
	for _, e := range w.Evidence {
		f.Evidence = append(f.Evidence, posture.Evidence{
			ID: e.ID, Statement: e.Statement, Identity: identity(e.Identity),
			Kind:       must(t, posture.ParseKind, e.Kind, ""),
			ObservedAt: day(e.ObservedDay), RecordedAt: day(e.RecordedDay),
			WithdrawnAt: dayOr(e.WithdrawnDay), ValidUntil: dayOr(e.ValidUntilDay),
			Polarity: must(t, posture.ParsePolarity, e.Polarity, "none"),
			ByHand:   e.By == "hand", PreGA: e.PreGA, Run: e.Run, Case: e.Case, ControlOK: e.ControlOK,
			Expected: must(t, posture.ParseExpected, e.Expected, ""),
			Outcome:  must(t, posture.ParseOutcome, e.Outcome, ""),
			Advisory: must(t, posture.ParseAdvisory, e.Advisory, ""),
		})
	}
	for _, c := range w.Closures {
		f.Closures = append(f.Closures, posture.Closure{
			ID: c.ID, Closes: c.Closes, Identity: identity(c.Identity), Evidence: c.Evidence,
			Kind: must(t, posture.ParseClosureKind, c.Kind, ""), At: dayOr(c.AtDay), RevokedAt: dayOr(c.RevokedDay),
		})
	}
	for _, a := range w.Acceptances {
		f.Acceptances = append(f.Acceptances, posture.Acceptance{
			ID: a.ID, Statement: a.Statement, Covers: a.Covers, Shortfall: a.Shortfall, Identity: identity(a.Identity),
			At: dayOr(a.AtDay), ExpiresAt: dayOr(a.ExpiresDay), RevokedAt: dayOr(a.RevokedDay),
		})
	}
	for _, n := range w.NotApplicable {
		f.Rulings = append(f.Rulings, posture.Ruling{
			Statement: n.Statement, Identity: identity(n.Identity), At: dayOr(n.AtDay), ExpiresAt: dayOr(n.ExpiresDay),
		})
	}
	return f
}

// TestGolden runs the 70 cases of model.md §2.10.
func TestGolden(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var worlds []goldenWorld
	if err := json.Unmarshal(b, &worlds); err != nil {
		t.Fatal(err)
	}
	if len(worlds) != 70 {
		t.Fatalf("golden.json holds %d cases, want 70", len(worlds))
	}
	for _, w := range worlds {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			at := day(w.Day)
			known := at
			if w.KnownDay != nil {
				known = day(*w.KnownDay)
			}
			v := posture.Judge(w.facts(t), known, at)
			if diff := cmp.Diff(w.Want, answerOf(&v)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}
