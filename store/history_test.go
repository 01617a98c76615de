package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func (s *scene) history(t *testing.T, subject int64, o posture.AsOf, before time.Time, limit int) []posture.HistoryEvent {
	t.Helper()
	events, err := s.Store.History(t.Context(), s.tester, o, subject, before, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func texts(events []posture.HistoryEvent) []string {
	var list []string
	for _, e := range events {
		list = append(list, e.Kind+": "+e.Text)
	}
	return list
}

func TestLaw08HistoryIsNeverLost(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	accepted, found := s.worked(t)
	if _, err := s.Store.Revoke(t.Context(), s.risk, "A-0001", "the index holds restricted documents"); err != nil {
		t.Fatal(err)
	}
	s.later()
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, invalid(found)); err != nil {
		t.Fatal(err)
	}
	s.later()
	if _, err := s.Store.Withdraw(t.Context(), s.tester, 1, "another product's page"); err != nil {
		t.Fatal(err)
	}
	s.later()
	s.target(t, s.receiver, with(identityS, posture.Version, "s5"))
	if err := s.Store.Unlink(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	s.later()
	want := []string{
		"link: unlinked: case-assistant",
		"target: target changed: version moved",
		"verdict: AD-1 moved from contradicted to suspect",
		"withdrawal: E-0001 on AD-1 withdrawn",
		"closure: K-0001: test invalid on AD-1",
		"acceptance: A-0001: accepted risk on AD-1 revoked",
		"evidence: " + found + ": test deny fail on AD-1",
		"verdict: AD-1 moved from accepted risk to contradicted",
		"acceptance: A-0001: accepted very high risk on AD-1",
		"verdict: AD-1 moved from contradicted to accepted risk",
		"evidence: E-0003: test permit pass on AD-1",
		"evidence: " + accepted + ": test deny fail on AD-1",
		"verdict: AD-1 moved from configured to contradicted",
		"evidence: E-0002: configuration on AD-1",
		"verdict: AD-1 moved from documented to configured",
		"evidence: E-0001: documentation on AD-1",
		"verdict: AD-1 moved from not stated to documented",
		"link: linked: case-assistant",
		"target: target recorded: Us Search default",
		"component: described",
		"requirement: statement asked to be tested: AD-1",
	}
	got := texts(s.history(t, s.receiver, posture.AsOf{}, time.Time{}, 0))
	slices.Sort(want)
	sorted := slices.Sorted(slices.Values(got))
	if diff := cmp.Diff(want, sorted); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	past := s.history(t, s.receiver, posture.AsOf{At: storetest.Start.Add(90 * time.Minute), Past: true}, time.Time{}, 0)
	if len(past) != 6 {
		t.Errorf("in the second hour it was %q", texts(past))
	}
}

// TestHistoryPages: pages hold every event once, whatever their limit, and are
// in order.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.worked(t)
	all := s.history(t, s.receiver, posture.AsOf{}, time.Time{}, 0)
	for _, limit := range []int{1, 2, 3, 7} {
		var paged []posture.HistoryEvent
		var before time.Time
		for range all {
			page := s.history(t, s.receiver, posture.AsOf{}, before, limit)
			if len(page) == 0 {
				break
			}
			paged = append(paged, page...)
			before = page[len(page)-1].At
		}
		if diff := cmp.Diff(all, paged); diff != "" {
			t.Errorf("by %d (-whole +paged):\n%s", limit, diff)
		}
	}
	if !slices.IsSortedFunc(all, func(a, b posture.HistoryEvent) int { return b.At.Compare(a.At) }) {
		t.Errorf("out of order: %q", texts(all))
	}
	if _, err := s.Store.History(t.Context(), s.tester, posture.AsOf{}, 999, time.Time{}, 0); posture.KindOf(err) != posture.NotFound {
		t.Errorf("of no subject: %v", err)
	}
}

func TestHistoryOfARuntime(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := d.create(t, posture.Runtime{Slug: "a", Target: posture.Target{Identity: identityR1}})
	d.Clock.Add(time.Hour)
	r.Name = "Two"
	if _, err := d.Store.ChangeRuntime(t.Context(), d.editor, r); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(time.Hour)
	next := posture.Target{Identity: with(with(identityR1, posture.Image, "sha256:d2"), posture.Config, "c2"), Reason: "release 4.2"}
	if _, _, err := d.Store.RecordTarget(t.Context(), d.editor, r.Subject, next); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(time.Hour)
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 2, "replaced by b"); err != nil {
		t.Fatal(err)
	}
	events, err := d.Store.History(t.Context(), d.editor, posture.AsOf{}, r.Subject, time.Time{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []posture.HistoryEvent{
		{At: storetest.Start.Add(3 * time.Hour), Kind: "runtime", Text: "retired", Detail: "replaced by b"},
		{At: storetest.Start.Add(2 * time.Hour), Kind: "target", Text: "target changed: image and config moved", Detail: "release 4.2"},
		{At: storetest.Start.Add(time.Hour), Kind: "runtime", Text: "description changed, version 2"},
		{
			At: storetest.Start, Kind: "requirement", Text: "12 statements undecided, asked to be tested: PE-3, FS-1, FS-2, ME-2, NW-1 and 7 more",
			Detail: "asked by the profile First review",
		},
		{At: storetest.Start, Kind: "runtime", Text: "described"},
		{At: storetest.Start, Kind: "target", Text: "target recorded: V P microVM"},
	}
	for i := range want {
		want[i].By, want[i].Href = "test:J. Lindqvist", "/runtimes/a"
	}
	if diff := cmp.Diff(want, events); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}
