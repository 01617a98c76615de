package view

import (
	"testing"
	"time"

	"demarc/store/posture"
)

func TestLinksKeepTheDayReadAt(t *testing.T) {
	t.Parallel()
	day := func(d int) time.Time { return time.Date(2026, 10, d, 23, 59, 59, 0, time.UTC) }
	today := Page{Path: "/runtimes", Query: "stage=production&after=x"}
	past := Page{Path: "/runtimes", Query: "as_of=2026-10-30&stage=production&after=x", AsOf: posture.AsOf{At: day(30), Past: true}}
	both := past
	both.AsOf.Known = day(31)
	for _, c := range []struct{ got, want string }{
		{today.Link("/vendors?x=1"), "/vendors?x=1"},
		{past.Link("/vendors?x=1#top"), "/vendors?as_of=2026-10-30&x=1#top"},
		{both.Link("/"), "/?as_of=2026-10-30&known=2026-10-31"},
		{today.With("stage", ""), "/runtimes"},
		{today.With("owner", "a b"), "/runtimes?owner=a+b&stage=production"},
		{today.With("after", "y"), "/runtimes?after=y&stage=production"},
		{past.With("stage", "design"), "/runtimes?as_of=2026-10-30&stage=design"},
		{past.Today(), "/runtimes?after=x&stage=production"},
		{Page{Path: "/", Query: "%zz"}.Today(), "/"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestTheBarShowsWhatTheRoleMayOpen(t *testing.T) {
	t.Parallel()
	for _, role := range posture.Roles() {
		places := Page{Person: posture.Person{Role: role}}.Places()
		last := places[len(places)-1]
		want := map[posture.Role]string{posture.Admin: "/admin/people", posture.Auditor: "/admin/audit"}[role]
		if want == "" {
			want = "/vendors"
		}
		if last.Path != want {
			t.Errorf("%s: the bar ends with %q, want %q", role, last.Path, want)
		}
	}
}
