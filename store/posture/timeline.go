package posture

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Moment is a verdict after a record or a lapse.
type Moment struct {
	At time.Time
	// Record is the id of what was recorded or has ended. Source says which: it
	// is "evidence", "withdrawal", "closure", "closure revoked", "acceptance",
	// "acceptance revoked", "ruling", "target" or "lapse". A target has no id.
	Record  string
	Source  string
	Verdict Verdict
}

// maxMoments bounds a timeline to its newest moments.
const maxMoments = 200

// Timeline gives the verdict after each record about the statement, in the
// order in which we learned of them, up to and with until; newest last. Each
// is judged at its own instant on what was known then. Changes by time alone
// stand between them as lapses. Each is judged on the target in force then:
// targets are those of the subject, oldest first, and each but the first is a
// moment too; without any the target is the one of f throughout. Only the last
// 200 moments are given.
func Timeline(f *Facts, targets []Target, until time.Time) []Moment {
	moments := records(f, targets, until)
	moments = moments[max(0, len(moments)-maxMoments):]
	var out []Moment
	then := *f
	f = &then
	for i := 0; i < len(moments); {
		at := moments[i].At
		for _, t := range targets {
			if !t.RecordedAt.After(at) {
				f.Target = t.Identity
			}
		}
		v := Judge(f, at, at)
		for ; i < len(moments) && moments[i].At.Equal(at); i++ {
			moments[i].Verdict = v
			out = append(out, moments[i])
		}
		end := until.Add(Tick)
		if i < len(moments) {
			end = moments[i].At
		}
		out = appendLapses(out, f, v, at, end)
	}
	return out[max(0, len(out)-maxMoments):]
}

// appendLapses adds the changes by time alone after at and before end.
func appendLapses(out []Moment, f *Facts, v Verdict, at, end time.Time) []Moment {
	for range maxMoments {
		if at = changesBefore(f, &v, at, at, end); at.IsZero() {
			break
		}
		v = Judge(f, at, at)
		out = append(out, Moment{At: at, Record: ended(f, at), Source: "lapse", Verdict: v})
	}
	return out
}

// ended names the record whose time was up at an instant, the first by id;
// empty when it is none's.
func ended(f *Facts, at time.Time) string {
	var ids []string
	for i := range f.Acceptances {
		if a := &f.Acceptances[i]; a.Statement == f.Statement && a.ExpiresAt.Equal(at) {
			ids = append(ids, a.ID)
		}
	}
	for i := range f.Rulings {
		if n := &f.Rulings[i]; n.Statement == f.Statement && n.ExpiresAt.Equal(at) {
			ids = append(ids, n.ID)
		}
	}
	j := newJudge(f, at, at)
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if j.counts(e) && e.Supporting() && j.windows.FreshUntil(e, f.Criticality).Add(Tick).Equal(at) {
			ids = append(ids, e.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return slices.Min(ids)
}

// records lists what was recorded about the statement up to until, in order of
// time, without verdicts. What has no instant has always been known.
func records(f *Facts, targets []Target, until time.Time) []Moment {
	var list []Moment
	add := func(at time.Time, record, source string) {
		if !at.IsZero() && !at.After(until) {
			list = append(list, Moment{At: at, Record: record, Source: source})
		}
	}
	own := make(map[string]bool, len(f.Evidence))
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Statement != f.Statement || e.ObservedAt.After(e.RecordedAt) {
			continue
		}
		own[e.ID] = true
		add(e.RecordedAt, e.ID, "evidence")
		if !e.WithdrawnAt.Before(e.RecordedAt) {
			add(e.WithdrawnAt, e.ID, "withdrawal")
		}
	}
	for i := range f.Closures {
		if c := &f.Closures[i]; own[c.Closes] {
			add(c.At, c.ID, "closure")
			add(c.RevokedAt, c.ID, "closure revoked")
		}
	}
	for i := range f.Acceptances {
		if a := &f.Acceptances[i]; a.Statement == f.Statement {
			add(a.At, a.ID, "acceptance")
			add(a.RevokedAt, a.ID, "acceptance revoked")
		}
	}
	for i := range f.Rulings {
		if n := &f.Rulings[i]; n.Statement == f.Statement {
			add(n.At, n.ID, "ruling")
		}
	}
	for i := range targets {
		if i > 0 && len(list) > 0 {
			add(targets[i].RecordedAt, "", "target")
		}
	}
	slices.SortStableFunc(list, func(a, b Moment) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Source, b.Source), strings.Compare(a.Record, b.Record))
	})
	return list
}
