package posture

import (
	"slices"
	"strings"
	"time"
)

// support fills For: every record in scope that could support, with what it
// lifts or why it lifts nothing.
func (x *explainer) support() {
	var tests []int32
	for i := range x.f.Evidence {
		e := &x.f.Evidence[i]
		loose := e.Kind == KindTest && e.Outcome == Pass && e.Expected != ExpectedUnknown
		if (!loose && !e.Supporting() && !e.OverBlock()) || !x.counts(e) || x.otherScope(e) {
			continue
		}
		if e.Kind == KindTest {
			tests = append(tests, int32(i))
			continue
		}
		p := x.supporting(e)
		if p.Counts = p.Why == ""; p.Counts {
			p.Why = "lifts to " + e.Kind.Rung().Words() + " until " + dayWords(p.FreshUntil)
		}
		x.e.For = append(x.e.For, p)
	}
	for group := range x.cases(tests) {
		x.caseSupport(group)
	}
	x.e.For = arranged(x.e.For)
}

// supporting is the piece of a record that supports; Why is empty where the
// record by itself holds.
func (x *explainer) supporting(e *Evidence) Piece {
	p := x.piece(e)
	p.FreshUntil = x.windows.FreshUntil(e, x.f.Criticality)
	p.Fresh = !x.t.After(p.FreshUntil)
	var why []string
	if !p.Fresh {
		why = append(why, "past its window since "+dayWords(p.FreshUntil))
	}
	if len(p.Moved) > 0 {
		why = append(why, "taken on another "+FacetWords(p.Moved))
	}
	if len(p.Unknown) > 0 {
		why = append(why, FacetWords(p.Unknown)+" not known on both sides")
	}
	p.Why = strings.Join(why, "; ")
	return p
}

// caseSupport adds the passing tests of one case, sorted by run.
func (x *explainer) caseSupport(tests []int32) {
	// The judge pairs only what could support by itself and is in scope.
	proper := func(tests []int32) []int32 {
		return slices.DeleteFunc(slices.Clone(tests), func(i int32) bool {
			e := &x.f.Evidence[i]
			return !x.sameScope(e) || !e.Supporting() && !e.OverBlock()
		})
	}
	blocked := x.overBlocked(proper(tests))
	for run := range x.runs(tests) {
		fit := proper(run)
		for _, i := range run {
			e := &x.f.Evidence[i]
			if e.OverBlock() {
				continue
			}
			p := x.supporting(e)
			if p.Why == "" {
				p.Why, p.Counts = x.halfWords(e, fit, blocked)
			} else if !e.ControlOK {
				p.Why += "; no working control"
			}
			x.e.For = append(x.e.For, p)
		}
	}
}

// halfWords says of a passing test that is fresh and matching what it gives,
// and whether it counts.
func (x *explainer) halfWords(e *Evidence, run []int32, blocked *time.Time) (why string, counts bool) {
	if !e.ControlOK {
		return "no working control: a result means something only where the fixture was proven", false
	}
	if len(x.f.Paths) > 0 && !slices.Contains(x.f.Paths, e.Case) {
		return "its case is none of the known paths", false
	}
	last := e.ObservedAt
	if x.f.Statement != duty {
		if e.Run == "" || e.Case == "" {
			return "names no run or no case, so it can be no half of a pair", false
		}
		other, fault := x.otherHalf(e, run)
		if fault != "" {
			return fault, false
		}
		if other.After(last) {
			last = other
		}
	} else if e.Expected == Deny {
		return "this statement is a duty: its proof is the permit side alone", false
	}
	if blocked != nil && !blocked.Before(last) {
		return "permitted access of the same case was refused on " + dayWords(*blocked) + ", so the refusal beside it means nothing", false
	}
	if x.f.Statement == duty {
		return "the whole proof of this duty, in " + caseWords(e), true
	}
	return "half of a pair that holds, " + caseWords(e), true
}

// otherHalf finds when the latest fitting half on the other side was observed,
// or says why there is none.
func (x *explainer) otherHalf(e *Evidence, run []int32) (last time.Time, fault string) {
	side := Deny
	if e.Expected == Deny {
		side = Permit
	}
	permit, deny := x.halves(run)
	other := deny
	if side == Permit {
		other = permit
	}
	switch {
	case other.holds:
		return other.last, ""
	case other.seen:
		return time.Time{}, "half of a pair whose other half " + other.why.Words()
	}
	return time.Time{}, "half of a pair: " + runWords(e) + " holds no passing " + side.String() + " beside it with a working control, so it lifts nothing"
}

func runWords(e *Evidence) string { return "run " + e.Run + ", case " + e.Case + "," }

func caseWords(e *Evidence) string {
	switch {
	case e.Case == "":
		return "a case without a name"
	case e.Run == "":
		return "case " + e.Case
	default:
		return "run " + e.Run + ", case " + e.Case
	}
}
