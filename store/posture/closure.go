package posture

import (
	"slices"
	"strings"
)

// closedBy gives the first closure of the negative e, by id, that is in effect
// (model.md §2.7); nil when there is none. A closure counts from the instant
// it is made.
func (j *judge) closedBy(e *Evidence) *Closure {
	var found *Closure
	for i := range j.f.Closures {
		c := &j.f.Closures[i]
		if c.Closes == e.ID && (found == nil || c.ID < found.ID) && j.closureStands(c) && j.takesEffect(c, e) {
			found = c
		}
	}
	return found
}

func (j *judge) closureStands(c *Closure) bool {
	return !c.At.After(j.k) && (c.RevokedAt.IsZero() || c.RevokedAt.After(j.k))
}

func (j *judge) takesEffect(c *Closure, e *Evidence) bool {
	switch c.Kind {
	case TestInvalid:
		return e.Kind == KindTest
	case ClosureNotApplicable:
		return Compare(&c.Identity, &j.f.Target, ruleFacets) == Matches
	case FixedVerified:
		return j.verifiedBy(c, e) != nil
	}
	return false
}

// verifiedBy gives a test, named by the closure and visible, that verifies the
// fix of e; nil when there is none. A test of another vendor, product or
// variant than the target has no effect here either (model.md §2.4, P5).
func (j *judge) verifiedBy(c *Closure, e *Evidence) *Evidence {
	for _, id := range c.Evidence {
		for _, i := range j.named(id) {
			p := &j.f.Evidence[i]
			if j.counts(p) && !j.otherScope(p) && Reverifies(p, e, c, j.f.Subject) {
				return p
			}
		}
	}
	return nil
}

// named gives the indexes of the records with this id; rows of one record may
// stand there more than once.
func (j *judge) named(id string) []int32 {
	e := j.f.Evidence
	if j.byID == nil {
		j.byID = make([]int32, len(e))
		for i := range j.byID {
			j.byID[i] = int32(i)
		}
		slices.SortFunc(j.byID, func(a, b int32) int { return strings.Compare(e[a].ID, e[b].ID) })
	}
	start, _ := slices.BinarySearchFunc(j.byID, id, func(i int32, id string) int { return strings.Compare(e[i].ID, id) })
	end := start
	for end < len(e) && e[j.byID[end]].ID == id {
		end++
	}
	return j.byID[start:end]
}

// Reverifies says whether the passing deny p verifies the fix of the negative
// e under closure c: same statement, working control, observed strictly later,
// of the same case where e is a test, not of another vendor, product or
// variant, and matching the closure's identity on all that a test needs
// (model.md §2.7). Freshness is not asked. A test that names no case is of no
// known case, hence never of the same one.
func Reverifies(p, e *Evidence, c *Closure, subject SubjectKind) bool {
	if !p.passes(Deny) || p.Statement != e.Statement || !p.ObservedAt.After(e.ObservedAt) {
		return false
	}
	if e.Kind == KindTest && (p.Case != e.Case || e.Case == "") {
		return false
	}
	if Compare(&p.Identity, &e.Identity, scopeFacets) == Drifted {
		return false
	}
	want := scopeFacets | Required(KindTest, p.Statement, subject)
	return Compare(&p.Identity, &c.Identity, want) == Matches
}
