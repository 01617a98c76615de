package posture

import (
	"fmt"
	"slices"
	"time"

	"demarc/store/posture/library"
)

// missing says what the requirement still needs: what each open negative
// needs first, then the evidence of the required rung.
func (x *explainer) missing() []string {
	if x.v.Met {
		return nil
	}
	var out []string
	for i := range x.e.Against {
		if p := &x.e.Against[i]; p.Open {
			out = append(out, x.closureWanted(p))
		}
	}
	if x.v.Rung >= x.f.Required {
		return out
	}
	kind := Kind(x.f.Required - Claimed)
	if step, ok := x.identifying(); ok && Judge(step.facts, x.k, x.t).Rung >= x.f.Required {
		return append(out, step.needs...)
	}
	out = append(out, x.facetsWanted(kind)...)
	if kind == KindTest {
		return append(out, x.pairsWanted()...)
	}
	return append(out, x.recordWanted(kind))
}

func (x *explainer) closureWanted(p *Piece) string {
	switch {
	case p.Soft:
		return "a ruling on " + p.ID + ": does it apply to this target?"
	case p.Kind == KindTest && p.Case != "":
		return fmt.Sprintf("for %s: a fix, a passing deny of case %s seen after %s, and a closure that names it", p.ID, p.Case, dayWords(p.ObservedAt))
	case p.Kind == KindTest:
		return "for " + p.ID + ": a closure that shows why it does not apply or was wrong; it names no case, so no later test can verify a fix"
	case p.Kind == KindStatement || p.Kind == KindDocumentation:
		return "for " + p.ID + ": a newer page or answer that says otherwise, or a boundary of our own with a passing deny, and a closure that names it"
	default:
		return fmt.Sprintf("for %s: a fix, a passing deny seen after %s, and a closure that names it", p.ID, dayWords(p.ObservedAt))
	}
}

// facetsWanted names what must be known of the target before evidence of this
// kind can match it.
func (x *explainer) facetsWanted(kind Kind) []string {
	var unknown []Facet
	for _, f := range (scopeFacets | Required(kind, x.f.Statement, x.f.Subject)).List() {
		if x.f.Target[f] == "" && (f != Region || kind >= KindConfiguration) {
			unknown = append(unknown, f)
		}
	}
	if unknown == nil {
		return nil
	}
	return []string{"a known " + FacetWords(unknown) + " on the target: evidence cannot match what is not recorded"}
}

func (x *explainer) recordWanted(kind Kind) string {
	days := func(e Evidence) string {
		return fmt.Sprintf("%d days", x.windows.Of(&e, x.f.Criticality)/Day)
	}
	switch kind {
	case KindStatement:
		return "a dated statement by the vendor, at most " + days(Evidence{Kind: kind}) + " old"
	case KindDocumentation:
		return "published documentation or a contract clause for this variant and region, looked at within " + days(Evidence{Kind: kind})
	case KindAttestation:
		return "an independent period report for this variant and region whose period ended within " + days(Evidence{Kind: kind})
	default:
		return fmt.Sprintf("a configuration read from this target within %s by tool, or within %s by hand",
			days(Evidence{Kind: kind}), days(Evidence{Kind: kind, ByHand: true}))
	}
}

// pairsWanted says for each known path, or for one case, which halves lack.
func (x *explainer) pairsWanted() []string {
	paths := x.openPaths()
	if len(x.f.Paths) == 0 {
		return x.halfWanted(x.bestCase())
	}
	var out []string
	for _, path := range paths {
		out = append(out, x.halfWanted(path)...)
	}
	return out
}

// openPaths lists the known paths without a pair that holds now.
func (x *explainer) openPaths() []string {
	held, _ := x.heldCases()
	var open []string
	for _, p := range x.f.Paths {
		if !slices.Contains(held, p) && !slices.Contains(open, p) {
			open = append(open, p)
		}
	}
	return open
}

// bestCase is the case that a next pair would best be of: the one with the
// newest test, else the statement's first scenario; empty when it has none.
func (x *explainer) bestCase() string {
	if c := x.newestCase(); c != "" {
		return c
	}
	s, _ := library.Must().FirstFor(x.f.Statement)
	return s.ID
}

func (x *explainer) newestCase() string {
	var found string
	var newest time.Time
	for _, list := range [2][]Piece{x.e.Against, x.e.For} {
		for i := range list {
			if p := &list[i]; p.Kind == KindTest && p.Case != "" && p.ObservedAt.After(newest) {
				found, newest = p.Case, p.ObservedAt
			}
		}
	}
	return found
}

func (x *explainer) halfWanted(caseID string) []string {
	of := "of case " + caseID
	switch {
	case caseID == "":
		of = "of one case"
	case len(x.f.Paths) == 0 && x.newestCase() == "":
		of = "of one case, such as " + caseID + ","
	}
	if x.f.Statement == duty {
		return []string{"a passing permit " + of + " on this very target, with a working control"}
	}
	var half *Piece
	for i := range x.e.For {
		p := &x.e.For[i]
		if p.Kind == KindTest && p.Case == caseID && caseID != "" && p.Run != "" && p.Fresh && p.Match == Matches &&
			(half == nil || p.ObservedAt.After(half.ObservedAt)) {
			half = p
		}
	}
	switch {
	case half == nil:
		return []string{"a passing permit and a passing deny " + of + " in one run on this very target, each with a working control"}
	case x.blockedSince(caseID) != nil:
		return []string{fmt.Sprintf("a permit %s that succeeds again beside its deny, in one run after %s: permitted access was refused then", of, dayWords(*x.blockedSince(caseID)))}
	case half.Expected == Permit:
		return []string{"a passing deny " + of + " beside a passing permit in one run, as in run " + half.Run + ", each with a working control"}
	default:
		return []string{"a passing permit " + of + " beside a passing deny in one run, as in run " + half.Run + ", each with a working control"}
	}
}

// blockedSince gives when permitted access of the case was last refused on
// this target; nil when never.
func (x *explainer) blockedSince(caseID string) *time.Time {
	var tests []int32
	for i := range x.f.Evidence {
		e := &x.f.Evidence[i]
		if e.OverBlock() && e.Case == caseID && x.counts(e) && x.sameScope(e) {
			tests = append(tests, int32(i))
		}
	}
	return x.overBlocked(tests)
}
