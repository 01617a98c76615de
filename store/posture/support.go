package posture

import (
	"slices"
	"strings"
	"time"
)

// support fills Rung, Best, the tested paths and the reasons for a lapse.
func (j *judge) support(v *Verdict) {
	var buf [16]int32
	halves := buf[:0]
	for i := range j.f.Evidence {
		e := &j.f.Evidence[i]
		if !j.counts(e) {
			continue
		}
		if e.passes(Permit) || e.passes(Deny) {
			if same, _ := inScope(&e.Identity, &j.f.Target); same {
				halves = append(halves, int32(i))
			}
			continue
		}
		if e.Kind >= KindTest || e.Polarity != Supports {
			continue
		}
		if same, _ := inScope(&e.Identity, &j.f.Target); !same {
			continue
		}
		j.lift(v, e)
	}
	j.liftTested(v, halves)
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

// liftTested finds pairs among the passing halves. A pair is one run and one
// case; where paths are named, every one of them needs a pair, for the rung
// now and for the best ever alike.
func (j *judge) liftTested(v *Verdict, halves []int32) {
	if len(halves) == 0 {
		return
	}
	e := j.f.Evidence
	slices.SortFunc(halves, func(a, b int32) int {
		if c := strings.Compare(e[a].Case, e[b].Case); c != 0 {
			return c
		}
		return strings.Compare(e[a].Run, e[b].Run)
	})
	var found tally
	for start := 0; start < len(halves); {
		end := start + 1
		for end < len(halves) && e[halves[end]].Case == e[halves[start]].Case {
			end++
		}
		now, ever, why := j.pairs(halves[start:end])
		found.add(j.f.Paths, e[halves[start]].Case, now, ever, why)
		start = end
	}
	need := max(1, len(j.f.Paths))
	v.PathsTested = 0
	if len(j.f.Paths) > 0 {
		v.PathsTested = found.now
	}
	if found.ever >= need {
		if v.Best < Tested {
			v.Best, v.Lapsed = Tested, 0
		}
		v.Lapsed |= found.why
	}
	if found.now >= need {
		v.Rung = Tested
	}
}

// tally counts the cases that hold a pair now and the cases that ever did.
type tally struct {
	now, ever int
	why       Lapse
}

func (c *tally) add(paths []string, caseID string, now, ever bool, why Lapse) {
	weight := 1
	if len(paths) > 0 {
		weight = 0
		for _, p := range paths {
			if p == caseID {
				weight++
			}
		}
	}
	if weight == 0 {
		return
	}
	if now {
		c.now += weight
	}
	if ever {
		c.ever += weight
	}
	if ever && !now {
		c.why |= why
	}
}

// pairs judges the passing halves of one case, sorted by run.
func (j *judge) pairs(halves []int32) (now, ever bool, why Lapse) {
	e := j.f.Evidence
	duty := j.f.Statement == "LF-4"
	for _, p := range halves {
		if !e[p].passes(Permit) {
			continue
		}
		lapseP := j.lapse(&e[p])
		if duty {
			ever = true
			now = j.pairHolds(e[p].Case, lapseP, e[p].ObservedAt, &why) || now
			continue
		}
		for _, d := range halves {
			if e[d].Run != e[p].Run || !e[d].passes(Deny) || e[p].Run == "" || e[p].Case == "" {
				continue
			}
			ever = true
			later := e[p].ObservedAt
			if e[d].ObservedAt.After(later) {
				later = e[d].ObservedAt
			}
			now = j.pairHolds(e[p].Case, lapseP|j.lapse(&e[d]), later, &why) || now
		}
	}
	return now, ever, why
}

// pairHolds says whether a pair whose later half was observed at later holds
// now; otherwise it adds the reasons to why.
func (j *judge) pairHolds(caseID string, lapse Lapse, later time.Time, why *Lapse) bool {
	if lapse == 0 && j.overBlocked(caseID, later) {
		lapse = LapsedOverBlock
	}
	*why |= lapse
	return lapse == 0
}

// overBlocked says whether a permit of the case failed on matching identity at
// or after the later half of a pair, whatever its own control (model.md §2.6).
func (j *judge) overBlocked(caseID string, since time.Time) bool {
	for i := range j.f.Evidence {
		e := &j.f.Evidence[i]
		if e.OverBlock() && e.Case == caseID && !e.ObservedAt.Before(since) && j.counts(e) &&
			Compare(&e.Identity, &j.f.Target, scopeFacets|Required(KindTest, e.Statement, j.f.Subject)) == Matches {
			return true
		}
	}
	return false
}
