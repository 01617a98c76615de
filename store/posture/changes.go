package posture

import (
	"slices"
	"sort"
	"time"
)

// Tick is the resolution of stored instants: PostgreSQL keeps microseconds.
// The last instant of a window counts itself, so support lapses one tick after
// it.
const Tick = time.Microsecond

// ChangesAt gives the first instant after at at which time alone, with no new
// record, changes the label, the state, the rung, the best rung, whether it is
// met, or the open negatives; the zero time when nothing ever does. Both
// clocks move together: at the instant given, what is known is as far from
// known as the instant is from at. Instants are whole ticks.
func ChangesAt(f *Facts, known, at time.Time) time.Time {
	base := Judge(f, known, at)
	return changesBefore(f, &base, known, at, time.Time{})
}

// changesBefore is ChangesAt for changes before end alone, given the verdict
// at at; a zero end is no end.
func changesBefore(f *Facts, base *Verdict, known, at, end time.Time) time.Time {
	shift := known.Sub(at)
	differs := func(t time.Time) bool {
		v := Judge(f, t.Add(shift), t)
		return !sameAnswer(base, &v)
	}
	within := span{after: at, before: end}
	var ends []time.Time
	if base.Rung > NotStated {
		ends = expiries(f, within)
	}
	for _, event := range append(events(f, within, shift), time.Time{}) {
		// Between two events only support can expire: the rung can but fall, so
		// the first instant at which it has fallen is found by halving.
		n := len(ends)
		if !event.IsZero() {
			n = sort.Search(len(ends), func(i int) bool { return !ends[i].Before(event) })
		}
		if i := sort.Search(n, func(i int) bool { return differs(ends[i]) }); i < n {
			return ends[i]
		}
		ends = ends[n:]
		if !event.IsZero() && differs(event) {
			return event
		}
	}
	return time.Time{}
}

// sameAnswer says whether two verdicts answer alike.
func sameAnswer(a, b *Verdict) bool {
	return a.Label == b.Label && a.State == b.State && a.Rung == b.Rung && a.Best == b.Best && a.Met == b.Met &&
		slices.Equal(a.Hard, b.Hard) && slices.Equal(a.Soft, b.Soft)
}

// expiries lists, in order, the instants from which a record that supports
// this very target is no longer fresh.
func expiries(f *Facts, within span) []time.Time {
	j := newJudge(f, time.Time{}, time.Time{})
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Statement == f.Statement && e.Supporting() && j.sameScope(e) && j.match(e) == Matches {
			within.add(j.windows.FreshUntil(e, f.Criticality).Add(Tick))
		}
	}
	return within.sorted()
}

// events lists, in order, the instants at which a record begins or ceases to
// count for a reason other than age. What hangs on the clock of knowledge is
// moved to the clock of the instant judged, which is shift behind it.
func events(f *Facts, within span, shift time.Duration) []time.Time {
	known := func(t time.Time) {
		if !t.IsZero() {
			within.add(t.Add(-shift))
		}
	}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Statement != f.Statement {
			continue
		}
		within.add(e.ObservedAt)
		known(e.RecordedAt)
		known(e.WithdrawnAt)
	}
	for i := range f.Closures {
		known(f.Closures[i].At)
		known(f.Closures[i].RevokedAt)
	}
	for i := range f.Acceptances {
		a := &f.Acceptances[i]
		known(a.At)
		within.add(a.At)
		within.add(a.ExpiresAt)
		within.add(a.RevokedAt)
	}
	for i := range f.Rulings {
		n := &f.Rulings[i]
		known(n.At)
		within.add(n.At)
		within.add(n.ExpiresAt)
	}
	return within.sorted()
}

// span collects the instants between two others, both left out; a zero before
// is no end.
type span struct {
	after, before time.Time
	instants      []time.Time
}

func (s *span) add(t time.Time) {
	if t.After(s.after) && (s.before.IsZero() || t.Before(s.before)) {
		s.instants = append(s.instants, t)
	}
}

func (s *span) sorted() []time.Time {
	slices.SortFunc(s.instants, time.Time.Compare)
	return slices.CompactFunc(s.instants, time.Time.Equal)
}
