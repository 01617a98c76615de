package posture

import (
	"slices"
	"strings"
	"time"
)

// Verdict is the answer of the judge for one statement on one target at one
// instant (model.md §2.8).
type Verdict struct {
	// Label is what is shown; State is the evidence state beneath it. They
	// differ where a risk is accepted and where a lapsed stronger rung is met
	// by a lower one.
	Label Label
	State Label
	// Rung is the highest rung with fresh, matching support; Best the highest
	// ever supported in scope, whatever its age or drift.
	Rung Rung
	Best Rung
	Met  bool
	// Hard and Soft are the ids of the open negatives, sorted: those that
	// contradict this target, and those that only cast suspicion on it.
	Hard []string
	Soft []string
	// Acceptance is the id of the acceptance that carries the verdict.
	Acceptance string
	// PathsTested of PathsKnown enforcement paths hold a pair now; both are
	// zero where the requirement names no paths.
	PathsTested int
	PathsKnown  int
	// Lapsed says why the best rung no longer holds; empty unless State is
	// stale.
	Lapsed Lapse
}

// Lapse is a set of reasons for which support no longer holds.
type Lapse uint8

// The reasons (model.md §2.8, row 5).
const (
	LapsedExpired Lapse = 1 << iota
	LapsedDrifted
	LapsedUnidentified
	LapsedOverBlock
)

var lapseNames = [...]string{"expired", "drifted", "unidentified", "over_block"}

// Names lists the reasons by their stored names; empty, not nil, when none.
func (l Lapse) Names() []string {
	names := make([]string, 0, len(lapseNames))
	for i, name := range lapseNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// OpenNegatives lists the ids of hard and soft together, sorted, each once;
// empty, not nil, when none.
func (v *Verdict) OpenNegatives() []string {
	all := make([]string, 0, len(v.Hard)+len(v.Soft))
	all = append(append(all, v.Hard...), v.Soft...)
	return sortedUnique(all)
}

// Rank is the order used in the properties of model.md §2.8: −2 contradicted
// or not provided, −1 suspect, else the rung.
func (v *Verdict) Rank() int {
	switch v.State {
	case LabelContradicted, LabelNotProvided:
		return -2
	case LabelSuspect:
		return -1
	default:
		return int(v.Rung)
	}
}

// Judge gives the verdict at instant at on what was known by known. It is
// total, deterministic and independent of the order of its inputs. Records
// about other statements do not count.
func Judge(f *Facts, known, at time.Time) Verdict {
	j := newJudge(f, known, at)
	var v Verdict
	docsOnly := j.negatives(&v)
	j.support(&v)
	v.State = j.state(&v, docsOnly)
	negative := v.State == LabelNotProvided || v.State == LabelContradicted || v.State == LabelSuspect
	v.Met = !negative && (v.State == LabelNotApplicable || v.Rung >= f.Required)
	v.Label = v.State
	switch {
	case v.Met && v.State == LabelStale:
		v.Label = v.Rung.Label()
	case !v.Met:
		if a := j.acceptance(&v); a != nil {
			v.Label, v.Acceptance = LabelAcceptedRisk, a.ID
		}
	}
	if v.State != LabelStale {
		v.Lapsed = 0
	}
	return v
}

type judge struct {
	f       *Facts
	k, t    time.Time
	windows *Windows
	// byID orders the evidence by id; nil until a closure asks.
	byID []int32
}

func newJudge(f *Facts, known, at time.Time) judge {
	j := judge{f: f, k: known, t: at, windows: f.Windows}
	if j.windows == nil {
		j.windows = &defaultWindows
	}
	return j
}

// negatives fills Hard and Soft and says whether all hard ones are documents
// or statements.
func (j *judge) negatives(v *Verdict) (docsOnly bool) {
	docsOnly = true
	for i := range j.f.Evidence {
		e := &j.f.Evidence[i]
		if !e.Negative() || !j.counts(e) {
			continue
		}
		if j.otherScope(e) || j.closedBy(e) != nil {
			continue
		}
		if j.soft(e) {
			v.Soft = append(v.Soft, e.ID)
			continue
		}
		v.Hard = append(v.Hard, e.ID)
		docsOnly = docsOnly && (e.Kind == KindDocumentation || e.Kind == KindStatement)
	}
	v.Hard, v.Soft = sortedUnique(v.Hard), sortedUnique(v.Soft)
	return docsOnly
}

// counts says whether a record is visible and about the judged statement.
func (j *judge) counts(e *Evidence) bool {
	return e.Statement == j.f.Statement && e.VisibleAt(j.k, j.t)
}

func (j *judge) soft(e *Evidence) bool {
	if e.Kind == KindIncident && e.Advisory == UnderInvestigation {
		return true
	}
	want := softens(e.Kind, e.Statement, j.f.Subject)
	return Compare(&e.Identity, &j.f.Target, want) == Drifted
}

// state is the evidence state: the first row of model.md §2.8 that matches.
func (j *judge) state(v *Verdict, docsOnly bool) Label {
	switch {
	case len(v.Hard) > 0 && docsOnly && v.Best == NotStated:
		return LabelNotProvided
	case len(v.Hard) > 0:
		return LabelContradicted
	case len(v.Soft) > 0:
		return LabelSuspect
	case j.ruledOut():
		return LabelNotApplicable
	case v.Best > v.Rung:
		return LabelStale
	default:
		return v.Rung.Label()
	}
}

func (j *judge) ruledOut() bool {
	for i := range j.f.Rulings {
		if j.rulingValid(&j.f.Rulings[i]) {
			return true
		}
	}
	return false
}

func (j *judge) rulingValid(n *Ruling) bool {
	return n.Statement == j.f.Statement && j.during(n.At, n.ExpiresAt) &&
		Compare(&n.Identity, &j.f.Target, ruleFacets) == Matches
}

// during says whether a decision made at from and ending at until, if it
// ends, holds at t and was known by k.
func (j *judge) during(from, until time.Time) bool {
	return !from.After(j.t) && !from.After(j.k) && (until.IsZero() || j.t.Before(until))
}

// acceptance gives the first valid acceptance, by id, that covers every open
// negative or, with none open, the shortfall; nil when there is none.
func (j *judge) acceptance(v *Verdict) *Acceptance {
	var found *Acceptance
	for i := range j.f.Acceptances {
		a := &j.f.Acceptances[i]
		if (found == nil || a.ID < found.ID) && j.acceptanceValid(a) && covers(a, v) {
			found = a
		}
	}
	return found
}

func (j *judge) acceptanceValid(a *Acceptance) bool {
	return a.Statement == j.f.Statement && j.during(a.At, a.ExpiresAt) &&
		(a.RevokedAt.IsZero() || a.RevokedAt.After(j.t)) &&
		Compare(&a.Identity, &j.f.Target, carryFacets) == Matches
}

func covers(a *Acceptance, v *Verdict) bool {
	if len(v.Hard) == 0 && len(v.Soft) == 0 {
		return a.Shortfall
	}
	for _, ids := range [2][]string{v.Hard, v.Soft} {
		for _, id := range ids {
			if !slices.Contains(a.Covers, id) {
				return false
			}
		}
	}
	return true
}

func sortedUnique(ids []string) []string {
	if len(ids) < 2 {
		return ids
	}
	slices.SortFunc(ids, strings.Compare)
	return slices.Compact(ids)
}
