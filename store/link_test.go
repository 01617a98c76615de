package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// TestLinkAsksOfTheReceiver: application data and capacity of the profile are
// asked of the receiver, unless something is asked of it already.
func TestLinkAsksOfTheReceiver(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.createComponent(t, posture.Component{Slug: "document-search", Owner: "R. Banerjee"})
	own := posture.Requirement{Subject: c.Subject, Statement: "AD-2", Wanted: posture.NotIntended, Reason: "no counts are given", Rung: posture.Configured}
	if _, err := d.Store.Require(t.Context(), d.editor, []posture.Requirement{own}); err != nil {
		t.Fatal(err)
	}
	d.create(t, posture.Runtime{
		Slug: "a", Profile: "everything", Intents: map[string]posture.Intent{
			"AD": {Purpose: posture.PurposeIntended, Text: "from other customers, by the search service"},
			"CP": {Purpose: posture.PurposeNotIntended, Text: "one customer"},
		},
	})
	d.link(t, "a", "document-search")
	var got []string
	for _, line := range d.asked(t, "a") {
		if line[5:6] == "d" {
			got = append(got, line)
		}
	}
	want := []string{
		"AD-1 document-search intended tested", "AD-2 document-search not_intended configured", "AD-3 document-search intended tested",
		"CP-1 document-search undecided tested", "CP-2 document-search undecided tested",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("asked of the receiver (-want +got):\n%s", diff)
	}
	r, err := d.Store.Requirement(t.Context(), d.editor, c.Subject, "AD-1")
	if err != nil || r.Owner != "R. Banerjee" || r.Version != 1 {
		t.Errorf("AD-1 is asked as %+v, %v", r, err)
	}
	// Another runtime's weaker profile adds nothing and changes nothing.
	d.create(t, posture.Runtime{Slug: "b", Profile: "first_review"})
	d.link(t, "b", "document-search")
	if again, err := d.Store.Requirement(t.Context(), d.editor, c.Subject, "AD-1"); err != nil || again.Version != 1 {
		t.Errorf("AD-1 is asked anew: %+v, %v", again, err)
	}
}

func TestLinksOverTime(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, posture.Runtime{Slug: "a"})
	d.createComponent(t, posture.Component{Slug: "c"})
	d.link(t, "a", "c")
	says(t, "a second link", d.Store.Link(t.Context(), d.editor, "a", "c"), "linked to this component already")
	d.Clock.Add(posture.Day)
	if err := d.Store.Unlink(t.Context(), d.editor, "a", "c"); err != nil {
		t.Fatal(err)
	}
	says(t, "a second parting", d.Store.Unlink(t.Context(), d.editor, "a", "c"), "not linked")
	// At the very instant of the parting the clock has not moved.
	d.link(t, "a", "c")
	if err := d.Store.Unlink(t.Context(), d.editor, "a", "c"); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(time.Hour)
	for hours, want := range map[int]int{1: 1, 23: 1, 25: 0} {
		o := posture.AsOf{At: storetest.Start.Add(time.Duration(hours) * time.Hour), Past: true}
		c, err := d.Store.ComponentPage(t.Context(), d.editor, o, "c")
		if err != nil || len(c.Users) != want {
			t.Errorf("after %d hours %d use it, want %d, %v", hours, len(c.Users), want, err)
		}
		r, err := d.Store.RuntimePage(t.Context(), d.editor, o, "a")
		if err != nil || len(r.Links) != want {
			t.Errorf("after %d hours it uses %d, want %d, %v", hours, len(r.Links), want, err)
		}
	}
	for _, pair := range [][2]string{{"a", "none"}, {"none", "c"}} {
		if err := d.Store.Link(t.Context(), d.editor, pair[0], pair[1]); posture.KindOf(err) != posture.NotFound {
			t.Errorf("link %v: %v", pair, err)
		}
	}
}

// TestCellIsTheWorstOverTheReceivers: a runtime's cell of application data is
// the worst over the receivers linked to it, and its own target never enters.
func TestCellIsTheWorstOverTheReceivers(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	other := s.component(t, "crm", "D. Ekström", "", true)
	s.require(t, other, "AD-1", "tested")
	s.target(t, other, identityS)
	for _, slug := range []string{"document-search", "crm"} {
		if err := s.Store.Link(t.Context(), s.tester, "case-assistant", slug); err != nil {
			t.Fatal(err)
		}
	}
	cell := func() posture.Cell {
		page, err := s.Store.RuntimePage(t.Context(), s.tester, posture.AsOf{}, "case-assistant")
		if err != nil {
			t.Fatal(err)
		}
		return page.Cells[slices.IndexFunc(page.Cells, func(c posture.Cell) bool { return c.Dimension == "AD" })]
	}
	pair := func(subject int64) {
		s.record(t, s.test(subject, "AD-1", "run", "SD-01", posture.Permit, posture.Pass, identityS))
		s.record(t, s.test(subject, "AD-1", "run", "SD-01", posture.Deny, posture.Pass, identityS))
	}
	pair(s.receiver)
	if diff := cmp.Diff(posture.Cell{Dimension: "AD", Label: posture.LabelNotStated, Tested: 1, Of: 2}, cell()); diff != "" {
		t.Errorf("one of two tested (-want +got):\n%s", diff)
	}
	pair(other)
	if diff := cmp.Diff(posture.Cell{Dimension: "AD", Label: posture.LabelTested, Tested: 2, Of: 2}, cell()); diff != "" {
		t.Errorf("both tested (-want +got):\n%s", diff)
	}
	s.target(t, s.unit, with(identityR1, posture.Version, "2"))
	if got := cell(); got.Label != posture.LabelTested {
		t.Errorf("another version of the runtime makes the receivers' cell %s", got.Label)
	}
	s.record(t, s.test(other, "AD-1", "run 2", "SD-05", posture.Deny, posture.Fail, identityS))
	if diff := cmp.Diff(posture.Cell{Dimension: "AD", Label: posture.LabelContradicted, Tested: 1, Of: 2}, cell()); diff != "" {
		t.Errorf("one contradicted (-want +got):\n%s", diff)
	}
}
