package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func (s *scene) overview(t *testing.T, a posture.Access, o posture.AsOf) posture.Overview {
	t.Helper()
	page, err := s.Store.Overview(t.Context(), a, o, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestOverviewCountsHonestly(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	for _, statement := range []string{"NW-1", "NW-2"} {
		r := posture.Requirement{Subject: s.unit, Statement: statement, Wanted: posture.Intended, Rung: posture.Tested}
		if _, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{r}); err != nil {
			t.Fatal(err)
		}
	}
	ruling := posture.RulingRecord{
		Ruling: posture.Ruling{Statement: "NW-2", Identity: identityR1}, Subject: posture.SubjectRef{ID: s.unit}, Reason: "it has no network",
	}
	if _, _, err := s.Store.RuleOut(t.Context(), s.closer, ruling); err != nil {
		t.Fatal(err)
	}
	s.later()
	page := s.overview(t, s.tester, posture.AsOf{})
	want := posture.StatementCounts{Required: 4}
	want.ByLabel[posture.LabelTested], want.ByLabel[posture.LabelConfigured] = 1, 1
	want.ByLabel[posture.LabelNotStated], want.ByLabel[posture.LabelNotApplicable] = 2, 1
	if diff := cmp.Diff(want, page.Counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if page.Runtimes != 1 || len(page.Rows) != 1 || len(page.Rows[0].Cells) != 11 || page.Next != "" || page.Settling != 0 {
		t.Errorf("%d runtimes, %d rows, next %q, %d settling", page.Runtimes, len(page.Rows), page.Next, page.Settling)
	}
	byCode := map[string]posture.Cell{}
	for _, c := range page.Rows[0].Cells {
		byCode[c.Dimension] = c
	}
	for code, want := range map[string]posture.Cell{
		"FS": {Dimension: "FS", Label: posture.LabelTested, Tested: 1, Of: 1},
		"PE": {Dimension: "PE", Label: posture.LabelConfigured, Of: 1},
		"NW": {Dimension: "NW", Label: posture.LabelNotStated, Of: 1},
		"AD": {Dimension: "AD", Label: posture.LabelNotStated, Outside: true},
	} {
		if diff := cmp.Diff(want, byCode[code]); diff != "" {
			t.Errorf("cell %s (-want +got):\n%s", code, diff)
		}
	}
}

// TestOverviewSettlesWhatTimeChanged: what a lapse moved is dated by the lapse,
// not by the reader who came later, and no list counts what is out of date.
func TestOverviewSettlesWhatTimeChanged(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	taken := storetest.Start.Add(time.Hour)
	s.Clock.Set(storetest.Start.Add(200 * posture.Day))
	viewer := storetest.As(posture.Viewer)
	page := s.overview(t, viewer, posture.AsOf{})
	if page.Counts.Tested() != 0 || page.Counts.Of(posture.LabelStale) != 2 || page.Settling != 0 {
		t.Errorf("counts %+v, %d settling", page.Counts, page.Settling)
	}
	lapse := taken.Add(180*posture.Day + posture.Tick)
	for days, tested := range map[int]int{179: 1, 181: 0} {
		then := s.overview(t, viewer, posture.AsOf{At: taken.Add(time.Duration(days) * posture.Day), Past: true})
		if then.Counts.Tested() != tested {
			t.Errorf("after %d days %d are tested", days, then.Counts.Tested())
		}
	}
	want := []posture.Move{{
		At: lapse, Statement: "FS-1", From: posture.LabelTested, To: posture.LabelStale, Because: "support aged past its window",
		Runtime: posture.SubjectRef{ID: s.unit, Slug: "case-assistant", Name: "case-assistant"},
		Subject: posture.SubjectRef{ID: s.unit, Slug: "case-assistant", Name: "case-assistant"},
	}}
	then := s.overview(t, viewer, posture.AsOf{At: lapse.Add(posture.Day), Past: true})
	if diff := cmp.Diff(want, then.Moved); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
}

func TestOverviewTellsWhatMovedSinceTheLookBefore(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	reader := storetest.As(posture.Viewer)
	person := setUp(t, s.DB)
	reader.Person = person.ID
	look := func() {
		if err := s.Store.Looked(t.Context(), reader); err != nil {
			t.Fatal(err)
		}
	}
	since := func(name string, want time.Time) {
		t.Helper()
		if got := s.overview(t, reader, posture.AsOf{}).Since; !got.Equal(want) {
			t.Errorf("%s: since %s, want %s", name, got, want)
		}
	}
	since("who never looked", s.Clock.Now().Add(-14*posture.Day))
	first := s.Clock.Now()
	look()
	s.Clock.Add(20 * time.Minute)
	look()
	since("the same look", first.Add(-14*posture.Day))
	last := s.Clock.Now()
	s.Clock.Add(posture.Day)
	since("before the new look is remembered", last)
	look()
	s.Clock.Add(10 * time.Minute)
	since("after it is", last)
	if err := s.Store.Looked(t.Context(), storetest.As(posture.Viewer)); err != nil {
		t.Errorf("nobody's look: %v", err)
	}
}

func TestOverviewMoved(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := s.Store.Link(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	failed := s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS))
	s.later()
	page := s.overview(t, s.tester, posture.AsOf{})
	if len(page.Moved) != 1 {
		t.Fatalf("moved %+v", page.Moved)
	}
	m := page.Moved[0]
	if m.Subject.Slug != "document-search" || m.Runtime.Slug != "case-assistant" || m.Statement != "AD-1" ||
		m.From != posture.LabelNotStated || m.To != posture.LabelContradicted || m.Because != failed.ID+" stands against it" {
		t.Errorf("moved %+v", m)
	}
	if past := s.overview(t, s.tester, posture.AsOf{At: storetest.Start.Add(time.Minute), Past: true}); len(past.Moved) != 0 {
		t.Errorf("before it moved: %+v", past.Moved)
	}
}

func TestOverviewDue(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	owner := named(posture.Viewer, "agent apps")
	s.tested(t)
	failed := s.record(t, s.test(s.unit, "FS-1", "run 3", "XS-02", posture.Deny, posture.Fail, identityR1))
	s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS))
	_, _, err := s.Store.Accept(t.Context(), s.risk, posture.AcceptanceRecord{
		Acceptance: posture.Acceptance{Statement: "FS-1", Covers: []string{failed.ID}, ExpiresAt: s.Clock.Now().Add(20 * posture.Day)},
		Subject:    posture.SubjectRef{ID: s.unit}, Condition: "no restricted documents indexed", Severity: posture.High,
		ReviewAt: s.Clock.Now().Add(10 * posture.Day),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Add(9 * posture.Day)
	kinds := func(a posture.Access) (list []string) {
		page := s.overview(t, a, posture.AsOf{})
		for i, d := range page.Due {
			list = append(list, d.Kind+" "+d.Text)
			if d.Href == "" || (i > 0 && !d.Due.IsZero() && d.Due.Before(page.Due[i-1].Due)) {
				t.Errorf("%d: %+v", i, d)
			}
		}
		if page.DueTotal != len(page.Due) {
			t.Errorf("%d of %d are told", len(page.Due), page.DueTotal)
		}
		return list
	}
	want := []string{
		"stale case-assistant: 1 required statement stale: PE-2",
		"acceptance A-0001 on FS-1 at case-assistant: decide, or what it carries stands uncovered",
		"discrepancy D-1 FS-1 at case-assistant: what was seen",
		"undecided case-assistant: nobody has said whether a boundary is intended for PE, FS, ME, NW, CD and 6 more",
		"unowned case-assistant: 2 statements without an owner: PE-2, FS-1",
	}
	if diff := cmp.Diff(want, kinds(owner)); diff != "" {
		t.Errorf("due from the owner (-want +got):\n%s", diff)
	}
	risk := kinds(s.risk)
	for _, want := range []string{"discrepancy D-1", "discrepancy D-2", "acceptance A-0001"} {
		if !slices.ContainsFunc(risk, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("%q is not due from the risk owner: %q", want, risk)
		}
	}
	if len(risk) != 3 {
		t.Errorf("due from the risk owner: %q", risk)
	}
	if others := kinds(named(posture.Viewer, "Nobody")); len(others) != 0 {
		t.Errorf("due from somebody else: %q", others)
	}
}

func TestOverviewPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for i := range 7 {
		d.create(t, posture.Runtime{Slug: fmt.Sprintf("r%d", i)})
	}
	var slugs []string
	after := ""
	for range 4 {
		page, err := d.Store.Overview(t.Context(), d.editor, posture.AsOf{}, after, 3)
		if err != nil || page.Runtimes != 7 {
			t.Fatalf("%d runtimes, %v", page.Runtimes, err)
		}
		for _, row := range page.Rows {
			slugs = append(slugs, row.Runtime.Slug)
		}
		if after = page.Next; after == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"r0", "r1", "r2", "r3", "r4", "r5", "r6"}, slugs); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

// TestLaw11OutsideIsANumberAlone: a reader of one portfolio sees nothing of
// another's but how many runtimes it has.
func TestLaw11OutsideIsANumberAlone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	admin := storetest.As(posture.Admin)
	p, err := s.Store.CreatePortfolio(t.Context(), admin, posture.Portfolio{Slug: "health", Name: "Health"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := s.Store.CreateRuntime(t.Context(), admin, posture.Runtime{Slug: "triage", Portfolio: p.ID, Profile: "everything", Owner: "N. Farouk"})
	if err != nil {
		t.Fatal(err)
	}
	s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS))
	s.Clock.Add(posture.Day)
	reader := named(posture.Editor, "N. Farouk")
	reader.AllPortfolios, reader.Portfolios = false, []int64{p.ID}
	page := s.overview(t, reader, posture.AsOf{})
	if page.Outside != 1 || page.Runtimes != 1 || len(page.Rows) != 1 || page.Rows[0].Runtime.Slug != "triage" || len(page.Moved) != 0 {
		t.Errorf("the overview shows %d outside, %d inside, %+v", page.Outside, page.Runtimes, page.Moved)
	}
	if got := page.Counts.Required; got != 30 {
		t.Errorf("%d statements are counted", got)
	}
	if page := s.overview(t, admin, posture.AsOf{}); page.Outside != 0 || page.Runtimes != 2 {
		t.Errorf("a reader of everything sees %d outside and %d inside", page.Outside, page.Runtimes)
	}
	past := s.overview(t, reader, posture.AsOf{At: storetest.Start.Add(time.Minute), Past: true})
	if past.Outside != 1 || past.Runtimes != 0 {
		t.Errorf("before it was made: %d outside, %d inside", past.Outside, past.Runtimes)
	}
	ctx := t.Context()
	reads := map[string]error{"link": s.Store.Link(ctx, reader, "triage", "document-search")}
	_, reads["runtime"] = s.Store.Runtime(ctx, reader, "case-assistant", posture.AsOf{})
	_, reads["page"] = s.Store.RuntimePage(ctx, reader, posture.AsOf{}, "case-assistant")
	_, reads["cell"] = s.Store.CellPage(ctx, reader, posture.AsOf{}, "case-assistant", "FS")
	_, reads["component"] = s.Store.ComponentPage(ctx, reader, posture.AsOf{}, "document-search")
	_, reads["statement"] = s.Store.StatementPage(ctx, reader, posture.AsOf{}, s.receiver, "AD-1")
	_, reads["history"] = s.Store.History(ctx, reader, posture.AsOf{}, s.unit, time.Time{}, 0)
	_, reads["subject"] = s.Store.Subject(ctx, reader, s.unit)
	_, reads["requirement"] = s.Store.Requirement(ctx, reader, s.unit, "FS-1")
	_, reads["require"] = s.Store.Require(ctx, reader, []posture.Requirement{{Subject: s.unit, Statement: "FS-1", Rung: posture.Tested}})
	_, _, reads["target"] = s.Store.RecordTarget(ctx, reader, s.unit, posture.Target{Identity: identityR1})
	_, reads["preview"] = s.Store.PreviewTarget(ctx, reader, s.unit, posture.Target{Identity: identityR1})
	for name, err := range reads {
		if posture.KindOf(err) != posture.NotFound {
			t.Errorf("%s outside the portfolio: %v", name, err)
		}
	}
	_, err = s.Store.CreateRuntime(ctx, reader, posture.Runtime{Slug: "x", Portfolio: 1, Profile: "everything"})
	if posture.KindOf(err) != posture.Forbidden {
		t.Errorf("created in another portfolio: %v", err)
	}
	list, err := s.Store.Subjects(ctx, reader)
	if diff := cmp.Diff([]posture.SubjectRef{{ID: made.Subject, Slug: "triage", Name: "triage"}}, list); diff != "" || err != nil {
		t.Errorf("subjects, %v (-want +got):\n%s", err, diff)
	}
}
