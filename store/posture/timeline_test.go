package posture_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"demarc/store/posture"
)

// TestTimelineTellsTheWorkedScenario follows the receiver of model.md §2.11
// from step 4 to step 9, as one target that does not move.
func TestTimelineTellsTheWorkedScenario(t *testing.T) {
	t.Parallel()
	id := posture.Identity{posture.Vendor: "V", posture.Product: "S", posture.Variant: "m", posture.Version: "s5", posture.Policy: "sp3", posture.Config: "c", posture.Region: "eu"}
	old := id
	old[posture.Version], old[posture.Policy] = "s4", "sp2"
	deny := func(id string, n int, on posture.Identity, caseID string, outcome posture.Outcome) posture.Evidence {
		return posture.Evidence{
			ID: id, Kind: posture.KindTest, Statement: "AD-1", Identity: on, ObservedAt: day(n), RecordedAt: day(n),
			Run: fmt.Sprint("run", n), Case: caseID, Expected: posture.Deny, Outcome: outcome, ControlOK: true,
		}
	}
	permit := deny("p4", 40, id, "SD-01", posture.Pass)
	permit.Expected = posture.Permit
	f := posture.Facts{
		Statement: "AD-1", Subject: posture.Receiver, Target: id, Required: posture.Tested,
		Evidence: []posture.Evidence{
			deny("f2", 10, old, "SD-01", posture.Fail), permit, deny("d4", 40, id, "SD-01", posture.Pass),
		},
		Acceptances: []posture.Acceptance{{ID: "A-7", Statement: "AD-1", Covers: []string{"f2"}, Identity: id, At: day(20), ExpiresAt: day(30)}},
		Closures:    []posture.Closure{{ID: "K-1", Closes: "f2", Kind: posture.FixedVerified, Identity: id, At: day(41), Evidence: []string{"d4"}}},
	}
	type line struct{ At, Record, Source, Label string }
	want := []line{
		{"11 Jan", "f2", "evidence", "suspect"},
		{"21 Jan", "A-7", "acceptance", "accepted_risk"},
		{"31 Jan", "A-7", "lapse", "suspect"},
		{"10 Feb", "d4", "evidence", "suspect"},
		{"10 Feb", "p4", "evidence", "suspect"},
		{"11 Feb", "K-1", "closure", "tested"},
		{"9 Aug", "d4", "lapse", "stale"},
	}
	var got []line
	for _, m := range posture.Timeline(&f, nil, day(300)) {
		got = append(got, line{m.At.Format("2 Jan"), m.Record, m.Source, m.Verdict.Label.String()})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		until := now
		moments := posture.Timeline(f, nil, until)
		for i, m := range moments {
			if m.At.After(until) || (i > 0 && m.At.Before(moments[i-1].At)) {
				t.Fatalf("moment %d at %v is out of order or after %v", i, m.At, until)
			}
			if diff := cmp.Diff(posture.Judge(f, m.At, m.At), m.Verdict); diff != "" {
				t.Fatalf("%s of %s (-judged +told):\n%s", m.Source, m.Record, diff)
			}
			if m.Source == "lapse" && sameAnswer(moments[i-1].Verdict, m.Verdict) == "" {
				t.Fatalf("the lapse at %v changes nothing", m.At)
			}
			next := until.Add(posture.Tick)
			if i+1 < len(moments) {
				next = moments[i+1].At
			}
			if before := next.Add(-posture.Tick); before.After(m.At) {
				if diff := sameAnswer(m.Verdict, posture.Judge(f, before, before)); diff != "" {
					t.Fatalf("between moment %d and %v the verdict changes untold:\n%s", i, next, diff)
				}
			}
		}
	})
}

func TestTimelineIsBounded(t *testing.T) {
	t.Parallel()
	moments := posture.Timeline(nightly(300), nil, day(1000))
	if len(moments) != 200 {
		t.Fatalf("%d moments, want 200", len(moments))
	}
	if last := moments[199]; last.Source != "lapse" || last.Verdict.Label != posture.LabelStale {
		t.Errorf("the newest moment is %s to %s", last.Source, last.Verdict.Label)
	}
}

// BenchmarkTimeline tells ten years of nightly pairs.
func BenchmarkTimeline(b *testing.B) {
	f := nightly(3650)
	for b.Loop() {
		posture.Timeline(f, nil, day(3650))
	}
}
