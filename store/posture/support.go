package posture

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// duty is the one statement whose proof is the permit side alone: a fresh
// matching permit with its control and no over-block after it (model.md §2.1).
const duty = "LF-4"

// support fills Rung, Best, the tested paths and the reasons for a lapse.
func (j *judge) support(v *Verdict) {
	var buf [16]int32
	tests := buf[:0] // passing halves and over-blocks in scope
	for i := range j.f.Evidence {
		e := &j.f.Evidence[i]
		if !e.Supporting() && !e.OverBlock() || !j.counts(e) || !j.sameScope(e) {
			continue
		}
		if e.Kind == KindTest {
			tests = append(tests, int32(i))
			continue
		}
		j.lift(v, e)
	}
	j.liftTested(v, tests)
}

// sameScope says whether the record is of the target's own vendor, product and
// variant, all known: what it must be to support anything.
func (j *judge) sameScope(e *Evidence) bool {
	return Compare(&e.Identity, &j.f.Target, scopeFacets) == Matches
}

// otherScope says whether the record is of another vendor, product or variant
// than the target, known on both: such a record has no effect at all.
func (j *judge) otherScope(e *Evidence) bool {
	return Compare(&e.Identity, &j.f.Target, scopeFacets) == Drifted
}

func (j *judge) lift(v *Verdict, e *Evidence) {
	rung := e.Kind.Rung()
	if rung > v.Best {
		v.Best, v.Lapsed = rung, 0
	}
	lapse := j.lapse(e)
	if lapse == 0 {
		v.Rung = max(v.Rung, rung)
		return
	}
	if rung == v.Best {
		v.Lapsed |= lapse
	}
}

// lapse says why a supporting record in scope does not hold now; 0 if it does.
func (j *judge) lapse(e *Evidence) Lapse {
	var why Lapse
	if j.t.After(j.windows.FreshUntil(e, j.f.Criticality)) {
		why = LapsedExpired
	}
	switch j.match(e) {
	case Drifted:
		why |= LapsedDrifted
	case Unidentified:
		why |= LapsedUnidentified
	case Matches:
	}
	return why
}

func (j *judge) match(e *Evidence) Match {
	want := Required(e.Kind, e.Statement, j.f.Subject)
	if want == 1<<Region && e.Identity[Region] == RegionAny {
		return Matches
	}
	return Compare(&e.Identity, &j.f.Target, want)
}

// liftTested finds pairs among the tests. Where paths are named, every one of
// them needs a pair, for the rung now and for the best ever alike.
func (j *judge) liftTested(v *Verdict, tests []int32) {
	v.PathsKnown = countDistinct(j.f.Paths)
	if len(tests) == 0 {
		return
	}
	e := j.f.Evidence
	var now, ever int
	var why Lapse
	for group := range j.cases(tests) {
		if len(j.f.Paths) > 0 && !slices.Contains(j.f.Paths, e[group[0]].Case) {
			continue
		}
		p := j.pairs(group)
		if p.now {
			now++
		}
		if p.ever {
			ever++
		}
		if p.ever && !p.now {
			why |= p.why
		}
	}
	if v.PathsKnown > 0 {
		v.PathsTested = now
	}
	need := max(1, v.PathsKnown)
	if ever >= need {
		if v.Best < Tested {
			v.Best, v.Lapsed = Tested, 0
		}
		v.Lapsed |= why
	}
	if now >= need {
		v.Rung = Tested
	}
}

// cases sorts tests by case and run, and cuts them into cases.
func (j *judge) cases(tests []int32) func(yield func([]int32) bool) {
	e := j.f.Evidence
	slices.SortFunc(tests, func(a, b int32) int {
		return cmp.Or(strings.Compare(e[a].Case, e[b].Case), strings.Compare(e[a].Run, e[b].Run))
	})
	return groups(tests, func(a, b int32) bool { return e[a].Case == e[b].Case })
}

// runs cuts the tests of one case, sorted by run, into runs.
func (j *judge) runs(tests []int32) func(yield func([]int32) bool) {
	e := j.f.Evidence
	return groups(tests, func(a, b int32) bool { return e[a].Run == e[b].Run })
}

// groups cuts a sorted list into its runs of equal members.
func groups(list []int32, equal func(a, b int32) bool) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		for start := 0; start < len(list); {
			end := start + 1
			for end < len(list) && equal(list[start], list[end]) {
				end++
			}
			if !yield(list[start:end]) {
				return
			}
			start = end
		}
	}
}

func countDistinct(list []string) int {
	n := 0
	for i, s := range list {
		if !slices.Contains(list[:i], s) {
			n++
		}
	}
	return n
}

// pairing says of one case whether a pair holds now, whether one was ever seen
// in scope, and why those that do not hold do not.
type pairing struct {
	now, ever bool
	why       Lapse
}

// pairs finds the pairs of one case among its tests, sorted by run. A pair is
// a passing permit and a passing deny of one known run and case.
func (j *judge) pairs(tests []int32) pairing {
	e := j.f.Evidence
	blocked := j.overBlocked(tests)
	var p pairing
	for run := range j.runs(tests) {
		permit, deny := j.halves(run)
		if j.f.Statement == duty {
			deny = permit
		} else if e[run[0]].Run == "" || e[run[0]].Case == "" {
			continue
		}
		if !permit.seen || !deny.seen {
			continue
		}
		p.ever = true
		p.why |= permit.why | deny.why
		if !permit.holds || !deny.holds {
			continue
		}
		later := permit.last
		if deny.last.After(later) {
			later = deny.last
		}
		if blocked != nil && !blocked.Before(later) {
			p.why |= LapsedOverBlock
			continue
		}
		p.now = true
	}
	return p
}

// half is one side of the pairs of one run and case.
type half struct {
	seen, holds bool
	// last is the latest instant at which a half that holds was observed: the
	// pair of the latest halves outlives every over-block that any other would.
	last time.Time
	why  Lapse
}

func (j *judge) halves(run []int32) (permit, deny half) {
	for _, i := range run {
		e := &j.f.Evidence[i]
		if e.Outcome != Pass {
			continue
		}
		side := &deny
		if e.Expected == Permit {
			side = &permit
		}
		side.seen = true
		lapse := j.lapse(e)
		side.why |= lapse
		if lapse == 0 {
			if !side.holds || e.ObservedAt.After(side.last) {
				side.last = e.ObservedAt
			}
			side.holds = true
		}
	}
	return permit, deny
}

// overBlocked gives the latest instant at which a permit among the tests
// failed on matching identity, whatever its own control (model.md §2.6); nil
// when none did.
func (j *judge) overBlocked(tests []int32) *time.Time {
	var latest *time.Time
	for _, i := range tests {
		e := &j.f.Evidence[i]
		if e.OverBlock() && (latest == nil || e.ObservedAt.After(*latest)) && j.match(e) == Matches {
			latest = &e.ObservedAt
		}
	}
	return latest
}
