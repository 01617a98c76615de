package posture_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"demarc/store/posture"
)

// The properties P1 to P21 of model.md §2.9; P15 stands with the roll-up.

// property checks over generated facts and clocks.
func property(t *testing.T, check func(t *rapid.T, f *posture.Facts, known, at time.Time)) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		known, at := drawClocks(t)
		check(t, f, known, at)
	})
}

// tested is property over facts that are tested, unless something is against
// them: a pair on the target itself, now.
func tested(t *testing.T, check func(t *rapid.T, f *posture.Facts, known, at time.Time)) {
	t.Helper()
	property(t, func(t *rapid.T, f *posture.Facts, _, at time.Time) {
		known := at
		f.Target = base
		for _, c := range []string{"a", "b"} {
			f.Evidence = append(f.Evidence, pairOf("now"+c, f.Statement, "now", c, at)...)
		}
		f.Evidence = slices.DeleteFunc(f.Evidence, func(e posture.Evidence) bool { return e.OverBlock() })
		if v := posture.Judge(f, known, at); v.Rung != posture.Tested {
			t.Fatalf("a pair on the target now gives rung %s", v.Rung)
		}
		check(t, f, known, at)
	})
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// with gives the facts with more evidence.
func with(f *posture.Facts, e ...posture.Evidence) *posture.Facts {
	g := *f
	g.Evidence = slices.Concat(f.Evidence, e)
	return &g
}

// each gives the facts with every evidence record edited.
func each(f *posture.Facts, edit func(e *posture.Evidence)) *posture.Facts {
	g := *f
	g.Evidence = slices.Clone(f.Evidence)
	for i := range g.Evidence {
		edit(&g.Evidence[i])
	}
	return &g
}

func same(t *rapid.T, what string, want, got posture.Verdict) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-before +after):\n%s", what, diff)
	}
}

// failure is a failing deny seen at the last instant that counts.
func failure(f *posture.Facts, id posture.Identity, known, at time.Time) posture.Evidence {
	seen := earlier(known, at)
	return posture.Evidence{
		ID: "new", Kind: posture.KindTest, Statement: f.Statement, Identity: id, ObservedAt: seen, RecordedAt: seen,
		Run: "new", Case: "a", Expected: posture.Deny, Outcome: posture.Fail,
	}
}

func TestP01(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		same(t, "order matters", posture.Judge(f, known, at), posture.Judge(shuffled(t, f), known, at))
	})
}

func TestP02(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		before := posture.Judge(f, known, at)
		after := posture.Judge(with(f, failure(f, drawIdentity(t), known, at)), known, at)
		if after.Rank() > before.Rank() {
			t.Fatalf("a failing deny raises the rank from %d to %d", before.Rank(), after.Rank())
		}
		if exact := posture.Judge(with(f, failure(f, f.Target, known, at)), known, at); exact.State != posture.LabelContradicted {
			t.Fatalf("a failing deny on the target itself gives %s", exact.State)
		}
	})
}

func TestP03(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		for i := range f.Acceptances {
			f.Acceptances[i].Identity, f.Acceptances[i].At = f.Target, time.Time{}
		}
		v := posture.Judge(with(f, failure(f, f.Target, known, at)), known, at)
		if v.Label == posture.LabelAcceptedRisk || v.Acceptance != "" {
			t.Fatalf("acceptance %s covers a failure added later", v.Acceptance)
		}
	})
}

func TestP04(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		e := failure(f, f.Target, known, at)
		e.ControlOK = true
		e.Run, e.Case = oneOf(t, "run", "r0", "r1", "new"), oneOf(t, "case", "a", "b")
		e.Expected = oneOf(t, "expected", posture.Permit, posture.Deny, posture.ExpectedUnknown)
		e.Outcome = oneOf(t, "outcome", posture.OutcomeError, posture.Skipped, posture.Inconclusive, posture.Incomplete, posture.OutcomeUnknown)
		same(t, e.Outcome.String()+" changes something", posture.Judge(f, known, at), posture.Judge(with(f, e), known, at))
	})
}

func TestP05(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		e := drawEvidence(t, "new", f.Statement)
		facet := oneOf(t, "scope", posture.Vendor, posture.Product, posture.Variant)
		f.Target[facet], e.Identity[facet] = "here", "there"
		for i := range f.Closures {
			f.Closures[i].Evidence = append(f.Closures[i].Evidence, e.ID)
			if rapid.Bool().Draw(t, "closure on that identity") {
				f.Closures[i].Identity = e.Identity
			}
		}
		same(t, "another "+facet.String()+" counts", posture.Judge(f, known, at), posture.Judge(with(f, e), known, at))
	})
}

func TestP06(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		if at.Before(known) {
			at = known
		}
		later := at.Add(time.Duration(rapid.IntRange(0, 400*24).Draw(t, "hours later")) * time.Hour)
		before, after := posture.Judge(f, known, at), posture.Judge(f, known, later)
		if after.Rank() > before.Rank() {
			t.Fatalf("time raises the rank from %d to %d", before.Rank(), after.Rank())
		}
	})
}

func TestP07(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		late := func(at *time.Time) {
			if at.After(known) {
				*at = time.Time{}
			}
		}
		g := *f
		g.Evidence = slices.DeleteFunc(slices.Clone(f.Evidence), func(e posture.Evidence) bool { return e.RecordedAt.After(known) })
		for i := range g.Evidence {
			late(&g.Evidence[i].WithdrawnAt)
		}
		g.Closures = slices.DeleteFunc(slices.Clone(f.Closures), func(c posture.Closure) bool { return c.At.After(known) })
		for i := range g.Closures {
			late(&g.Closures[i].RevokedAt)
		}
		g.Acceptances = slices.DeleteFunc(slices.Clone(f.Acceptances), func(a posture.Acceptance) bool { return a.At.After(known) })
		g.Rulings = slices.DeleteFunc(slices.Clone(f.Rulings), func(n posture.Ruling) bool { return n.At.After(known) })
		same(t, "what was recorded later is seen", posture.Judge(&g, known, at), posture.Judge(f, known, at))
	})
}

func TestP08(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		f.Target[posture.Config] = ""
		if v := posture.Judge(f, known, at); v.Rung >= posture.Configured {
			t.Fatalf("a target without a known config is %s", v.Rung)
		}
	})
}

func TestP09(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		if f.Statement == "LF-4" {
			f.Statement = "FS-1"
			f = each(f, func(e *posture.Evidence) { e.Statement = "FS-1" })
		}
		side := oneOf(t, "side", posture.Permit, posture.Deny)
		f.Evidence = slices.DeleteFunc(f.Evidence, func(e posture.Evidence) bool { return e.Expected == side })
		if v := posture.Judge(f, known, at); v.Best == posture.Tested {
			t.Fatalf("tested without a single %s", side)
		}
	})
}

func TestP10(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		e := drawEvidence(t, "new", f.Statement)
		if e.Kind == posture.KindIncident {
			e.Kind = posture.KindConfiguration
		}
		if e.Kind == posture.KindTest {
			e.Outcome, e.ControlOK = posture.Pass, true
		} else {
			e.Polarity = posture.Supports
		}
		before, after := posture.Judge(f, known, at), posture.Judge(with(f, e), known, at)
		if after.Rank() < before.Rank() || after.Rung < before.Rung || after.Best < before.Best {
			t.Fatalf("support lowers rank %d to %d, rung %s to %s", before.Rank(), after.Rank(), before.Rung, after.Rung)
		}
	})
}

func TestP11(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		got := posture.Judge(f, known, at)
		if got.Label == posture.LabelAcceptedRisk && got.Met {
			t.Fatal("accepted risk although met")
		}
		g := *f
		g.Acceptances = nil
		want := posture.Judge(&g, known, at)
		if got.Acceptance == "" && got.Label != want.Label {
			t.Fatalf("acceptances that do not carry change the label from %s to %s", want.Label, got.Label)
		}
		got.Label, got.Acceptance = want.Label, ""
		same(t, "acceptances change a fact", want, got)
	})
}

func TestP12(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		before := posture.Judge(f, known, at)
		after := posture.Judge(with(f, pairOf("new", f.Statement, "new", "a", earlier(known, at))...), known, at)
		if diff := cmp.Diff(before.OpenNegatives(), after.OpenNegatives()); diff != "" {
			t.Fatalf("a later pass closes (-before +after):\n%s", diff)
		}
	})
}

func TestP13(t *testing.T) {
	t.Parallel()
	tested(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		needs := append(posture.Required(posture.KindTest, f.Statement, f.Subject).List(), posture.Vendor, posture.Product, posture.Variant)
		facet := rapid.SampledFrom(needs).Draw(t, "facet")
		f.Target[facet] = oneOf(t, "value", "moved", "")
		if v := posture.Judge(f, known, at); v.Rung == posture.Tested {
			t.Fatalf("tested although the %s moved", facet)
		}
	})
}

func TestP14(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		before := posture.Judge(f, known, at)
		g := each(f, func(e *posture.Evidence) {
			if e.Supporting() && rapid.Bool().Draw(t, "withdraw "+e.ID) {
				e.WithdrawnAt = known
			}
		})
		if after := posture.Judge(g, known, at); after.Rank() > before.Rank() {
			t.Fatalf("withdrawing support raises the rank from %d to %d", before.Rank(), after.Rank())
		}
	})
}

func TestP16(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		same(t, "importing twice changes something", posture.Judge(f, known, at), posture.Judge(with(f, f.Evidence...), known, at))
	})
}

func TestP17(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		f.Target = base
		f.Rulings = append(f.Rulings, posture.Ruling{Statement: f.Statement, Identity: base})
		for i := range f.Closures {
			if f.Closures[i].Kind == posture.ClosureNotApplicable {
				f.Closures[i].Identity = base
			}
		}
		if v := posture.Judge(f, known, at); len(v.OpenNegatives()) == 0 && v.State != posture.LabelNotApplicable {
			t.Fatalf("a ruling on this very target leaves it %s", v.State)
		}
		f.Target[oneOf(t, "facet", posture.Version, posture.Policy, posture.Config)] = "moved"
		g := *f
		g.Rulings = nil
		g.Closures = slices.DeleteFunc(slices.Clone(f.Closures), func(c posture.Closure) bool { return c.Kind == posture.ClosureNotApplicable })
		same(t, "a ruling outlives the configuration", posture.Judge(&g, known, at), posture.Judge(f, known, at))
	})
}

func TestP18(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		form := oneOf(t, "form", "%s-renamed", "sha256:%s", "SHA512:%s", "sha256:%[1]s sha512:f%[1]s")
		rename := func(id *posture.Identity) {
			for _, facet := range []posture.Facet{posture.Image, posture.Policy, posture.Config, posture.Tools} {
				if id[facet] != "" {
					id[facet] = fmt.Sprintf(form, id[facet])
				}
			}
		}
		g := each(f, func(e *posture.Evidence) { rename(&e.Identity) })
		rename(&g.Target)
		g.Closures, g.Acceptances, g.Rulings = slices.Clone(f.Closures), slices.Clone(f.Acceptances), slices.Clone(f.Rulings)
		for i := range g.Closures {
			rename(&g.Closures[i].Identity)
		}
		for i := range g.Acceptances {
			rename(&g.Acceptances[i].Identity)
		}
		for i := range g.Rulings {
			rename(&g.Rulings[i].Identity)
		}
		same(t, "names of hashes matter", posture.Judge(f, known, at), posture.Judge(g, known, at))
	})
}

func TestP19(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		w := posture.DefaultWindows()
		g := *f
		g.Evidence = slices.DeleteFunc(slices.Clone(f.Evidence), func(e posture.Evidence) bool {
			return e.Supporting() && at.Sub(e.ObservedAt) > w.Of(&e, f.Criticality)
		})
		if old, young := posture.Judge(f, known, at), posture.Judge(&g, known, at); old.Rung != young.Rung {
			t.Fatalf("what is older than its window lifts %s to %s", young.Rung, old.Rung)
		}
	})
}

func TestP20(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		g := each(f, func(e *posture.Evidence) { e.ControlOK = false })
		if v := posture.Judge(g, known, at); v.Best == posture.Tested {
			t.Fatal("tested without a working control")
		}
	})
}

func TestP21(t *testing.T) {
	t.Parallel()
	property(t, func(t *rapid.T, f *posture.Facts, known, at time.Time) {
		if f.Statement == "LF-4" {
			return
		}
		n := 0
		g := each(f, func(e *posture.Evidence) {
			n++
			e.Run = fmt.Sprint("run", n)
		})
		if v := posture.Judge(g, known, at); v.Best == posture.Tested {
			t.Fatal("halves of different runs combine")
		}
	})
}
