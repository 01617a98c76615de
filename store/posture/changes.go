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
	shift := known.Sub(at)
	differs := func(t time.Time) bool {
		v := Judge(f, t.Add(shift), t)
		return !sameAnswer(&base, &v)
	}
	var ends []time.Time
	if base.Rung > NotStated {
		ends = expiries(f, at)
	}
	for _, event := range append(events(f, at, shift), time.Time{}) {
		// Between two events only support can expire: the rung can but fall, so
		// the first instant at which it has fallen is found by halving.
		within := len(ends)
		if !event.IsZero() {
			within = sort.Search(len(ends), func(i int) bool { return !ends[i].Before(event) })
		}
		if i := sort.Search(within, func(i int) bool { return differs(ends[i]) }); i < within {
			return ends[i]
		}
		ends = ends[within:]
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

// expiries lists, in order, the instants after at from which a record that
// supports this very target is no longer fresh.
func expiries(f *Facts, at time.Time) []time.Time {
	j := newJudge(f, at, at)
	var ends instants
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Statement == f.Statement && e.Supporting() &&
			Compare(&e.Identity, &f.Target, scopeFacets) == Matches && j.match(e) == Matches {
			ends.add(j.windows.FreshUntil(e, f.Criticality).Add(Tick), at)
		}
	}
	return ends.sorted()
}

// events lists, in order, the instants after at at which a record begins or
// ceases to count for a reason other than age. What hangs on the clock of
// knowledge is moved to the clock of at.
func events(f *Facts, at time.Time, shift time.Duration) []time.Time {
	var all instants
	known := func(t time.Time) {
		if !t.IsZero() {
			all.add(t.Add(-shift), at)
		}
	}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Statement != f.Statement {
			continue
		}
		all.add(e.ObservedAt, at)
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
		all.add(a.At, at)
		all.add(a.ExpiresAt, at)
		all.add(a.RevokedAt, at)
	}
	for i := range f.Rulings {
		n := &f.Rulings[i]
		known(n.At)
		all.add(n.At, at)
		all.add(n.ExpiresAt, at)
	}
	return all.sorted()
}

type instants []time.Time

// add keeps t if it lies after at; the zero time never does.
func (s *instants) add(t, at time.Time) {
	if t.After(at) {
		*s = append(*s, t)
	}
}

func (s *instants) sorted() []time.Time {
	slices.SortFunc(*s, time.Time.Compare)
	return slices.CompactFunc(*s, time.Time.Equal)
}
