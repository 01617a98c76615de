package posture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Explanation is a verdict in words (DESIGN.md §2, law 7): the evidence for
// and against, what is missing, the next cheapest step that would move it, and
// what it does not show.
type Explanation struct {
	// Sentence says the verdict in one or two sentences.
	Sentence string
	// Against are the negatives in scope, open ones first, newest first; For are
	// the records that support, counting ones first, newest first. Records of
	// another vendor, product or variant are in neither: evidence never travels.
	Against []Piece
	For     []Piece
	// Missing says what would be needed to meet the requirement; empty when met.
	Missing []string
	Next    Step
	// NotShown says what must not be read into the verdict.
	NotShown []string
	// Found says how the label was found: one line a row of the two tables of
	// model.md §2.8, in order, each up to the row that holds.
	Found []Check
}

// Piece is one record with its part in a verdict.
type Piece struct {
	ID       string
	Kind     Kind
	Expected Expected
	Outcome  Outcome
	Run      string
	Case     string

	ObservedAt time.Time
	// Match compares the record with the target on all that its kind needs;
	// Moved and Unknown name the facets that differ or are unknown.
	Match   Match
	Moved   []Facet
	Unknown []Facet
	// Fresh and FreshUntil belong to support; a negative never ages.
	Fresh      bool
	FreshUntil time.Time
	// Counts says that the record bears on the verdict now: an open negative,
	// or support that holds.
	Counts bool
	// Open, Soft, ClosedBy and AcceptedBy belong to negatives. Soft ones cast
	// suspicion only. AcceptedBy names an acceptance in force that covers the
	// record, whether or not it covers all.
	Open       bool
	Soft       bool
	ClosedBy   string
	AcceptedBy string
	// Why says in words what the record does to the verdict, or why nothing.
	Why string
}

// Step is something to do, what it needs, and the label that the verdict
// would have with it done: judged, not guessed.
type Step struct {
	Text  string
	To    Label
	Needs []string
}

// Check is one row of the verdict tables, and whether it is the one that holds.
type Check struct {
	Holds bool
	Text  string
}

// explainer reads the facts of a verdict once more, for people.
type explainer struct {
	judge
	v Verdict
	e Explanation
}

// Explain judges as Judge does and says why.
func Explain(f *Facts, known, at time.Time) (Verdict, Explanation) {
	x := explainer{judge: newJudge(f, known, at), v: Judge(f, known, at)}
	x.against()
	x.support()
	x.e.Sentence = x.sentence()
	x.e.Missing = x.missing()
	x.e.Next = x.next()
	x.e.NotShown = x.notShown()
	x.e.Found = append(x.stateRows(), x.labelRows()...)
	return x.v, x.e
}

// piece fills in what every record has.
func (x *explainer) piece(e *Evidence) Piece {
	p := Piece{
		ID: e.ID, Kind: e.Kind, Expected: e.Expected, Outcome: e.Outcome, Run: e.Run, Case: e.Case,
		ObservedAt: e.ObservedAt, Fresh: true,
	}
	want := scopeFacets | Required(e.Kind, e.Statement, x.f.Subject) | softens(e.Kind, e.Statement, x.f.Subject)
	if e.Identity[Region] == RegionAny {
		want &^= 1 << Region
	}
	p.Moved, p.Unknown = Differing(&e.Identity, &x.f.Target, want)
	p.Match = Compare(&e.Identity, &x.f.Target, want)
	return p
}

// against fills Against.
func (x *explainer) against() {
	for i := range x.f.Evidence {
		e := &x.f.Evidence[i]
		if !e.Negative() || !x.counts(e) || x.otherScope(e) {
			continue
		}
		p := x.piece(e)
		closure := x.closedBy(e)
		p.Soft, p.Open, p.Counts = x.soft(e), closure == nil, closure == nil
		if closure != nil {
			p.ClosedBy = closure.ID
		}
		p.AcceptedBy = x.carrier(e.ID)
		p.Why = x.whyAgainst(e, &p, closure)
		x.e.Against = append(x.e.Against, p)
	}
	x.e.Against = arranged(x.e.Against)
}

// carrier names an acceptance in force that covers the record.
func (x *explainer) carrier(id string) string {
	found := ""
	for i := range x.f.Acceptances {
		a := &x.f.Acceptances[i]
		if (found == "" || a.ID < found) && x.acceptanceValid(a) && slices.Contains(a.Covers, id) {
			found = a.ID
		}
	}
	return found
}

// arranged puts what counts first, then the newest, each row once.
func arranged(pieces []Piece) []Piece {
	slices.SortStableFunc(pieces, func(a, b Piece) int {
		if a.Counts != b.Counts {
			if a.Counts {
				return -1
			}
			return 1
		}
		return cmp.Or(b.ObservedAt.Compare(a.ObservedAt), strings.Compare(a.ID, b.ID), strings.Compare(a.Why, b.Why))
	})
	return slices.CompactFunc(pieces, func(a, b Piece) bool {
		return a.ID == b.ID && a.Why == b.Why && a.Expected == b.Expected && a.ObservedAt.Equal(b.ObservedAt)
	})
}

func (x *explainer) whyAgainst(e *Evidence, p *Piece, closure *Closure) string {
	if closure != nil {
		return x.whyClosed(e, closure)
	}
	var why string
	switch {
	case e.Kind == KindIncident && e.Advisory == UnderInvestigation:
		why = "the advisory is still under investigation, which casts suspicion until somebody rules on it"
	case p.Soft:
		why = "taken on another " + FacetWords(p.Moved) + ": whether it still applies, nobody has ruled"
	case len(p.Unknown) > 0:
		why = "its " + FacetWords(p.Unknown) + " cannot be compared, so it counts until somebody shows that it does not apply"
	case len(p.Moved) > 0:
		why = "taken on another " + FacetWords(p.Moved) + ", which does not soften it"
	case e.Kind == KindStatement || e.Kind == KindDocumentation:
		why = "says that this is not so, in words about this very product and variant"
	default:
		why = "shows the opposite on this very target"
	}
	var faults []string
	for i := range x.f.Closures {
		c := &x.f.Closures[i]
		if c.Closes == e.ID && !c.At.After(x.k) {
			faults = append(faults, "closure "+c.ID+" has no effect: "+x.closureFault(c, e))
		}
	}
	return strings.Join(append([]string{why}, sortedUnique(faults)...), "; ")
}

func (x *explainer) whyClosed(e *Evidence, c *Closure) string {
	switch c.Kind {
	case FixedVerified:
		return "closed by " + c.ID + ": fixed, and verified by " + x.verifiedBy(c, e).ID
	case ClosureNotApplicable:
		return "closed by " + c.ID + ": ruled not to apply to this configuration"
	default:
		return "closed by " + c.ID + ": the test itself was wrong"
	}
}

// closureFault says why a closure made by now is not in effect.
func (x *explainer) closureFault(c *Closure, e *Evidence) string {
	if !x.closureStands(c) {
		return "it was revoked on " + dayWords(c.RevokedAt)
	}
	switch c.Kind {
	case TestInvalid:
		return "it can close tests only"
	case ClosureNotApplicable:
		moved, unknown := Differing(&c.Identity, &x.f.Target, ruleFacets)
		if len(moved) > 0 {
			return "the target’s " + FacetWords(moved) + " differs from what was ruled on"
		}
		return FacetWords(unknown) + " is not known on both sides"
	default:
		return x.fixFault(c, e)
	}
}

// fixFault says why no test named by a closure verifies the fix: the reason of
// the first one that is visible.
func (x *explainer) fixFault(c *Closure, e *Evidence) string {
	if len(c.Evidence) == 0 {
		return "it names no test"
	}
	for _, id := range c.Evidence {
		for _, i := range x.named(id) {
			p := x.f.Evidence[i]
			if !x.counts(&p) {
				continue
			}
			if x.otherScope(&p) {
				return id + " was taken on another vendor, product or variant than this target"
			}
			p.WithdrawnAt = time.Time{} // not by what was known
			return id + " does not verify the fix: " + NotReverifying(&p, e, c, x.f.Subject)
		}
	}
	return "the test it names is withdrawn, unknown or about another statement"
}

// counted writes a number with its noun: "1 record", "3 records".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
