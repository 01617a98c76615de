package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func slugs(list posture.RuntimeList) []string {
	found := []string{}
	for _, row := range list.Rows {
		found = append(found, row.Runtime.Slug)
	}
	return found
}

func TestRuntimesFilters(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, r := range []posture.Runtime{
		{Slug: "ci-runner", Name: "CI 100%", Owner: "D. Ekström", Stage: posture.StageProduction, Profile: "coding_agent"},
		{Slug: "dev-sandboxes", Purpose: "Runs code that nobody has read.", Owner: "N. Farouk", Stage: posture.StageEvaluation, Profile: "coding_agent"},
	} {
		if _, err := s.Store.CreateRuntime(t.Context(), s.tester, r); err != nil {
			t.Fatal(err)
		}
	}
	s.tested(t)
	if err := s.Store.Link(t.Context(), s.tester, "dev-sandboxes", "document-search"); err != nil {
		t.Fatal(err)
	}
	s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS))
	s.later()
	for name, c := range map[string]struct {
		f    posture.RuntimeFilter
		want []string
	}{
		"all":              {posture.RuntimeFilter{}, []string{"case-assistant", "ci-runner", "dev-sandboxes"}},
		"by name":          {posture.RuntimeFilter{Find: "100%"}, []string{"ci-runner"}},
		"by purpose":       {posture.RuntimeFilter{Find: "NOBODY HAS"}, []string{"dev-sandboxes"}},
		"by digest":        {posture.RuntimeFilter{Find: "sha256:d1"}, []string{"case-assistant"}},
		"a pattern":        {posture.RuntimeFilter{Find: "ci_runner"}, []string{}},
		"by stage":         {posture.RuntimeFilter{Stage: "evaluation"}, []string{"dev-sandboxes"}},
		"by owner":         {posture.RuntimeFilter{Owner: "d. ekström"}, []string{"ci-runner"}},
		"against":          {posture.RuntimeFilter{Reading: "against"}, []string{"dev-sandboxes"}},
		"nothing yet":      {posture.RuntimeFilter{Reading: "nothing yet"}, []string{"ci-runner", "dev-sandboxes"}},
		"supported so far": {posture.RuntimeFilter{Reading: "supported so far"}, []string{"case-assistant"}},
		"two at once":      {posture.RuntimeFilter{Reading: "nothing yet", Stage: "production"}, []string{"ci-runner"}},
		"after":            {posture.RuntimeFilter{After: "ci-runner"}, []string{"dev-sandboxes"}},
	} {
		list, err := s.Store.Runtimes(t.Context(), s.tester, posture.AsOf{}, c.f)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(c.want, slugs(list)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if c.f.After == "" && list.Total != len(c.want) {
			t.Errorf("%s: %d in all, want %d", name, list.Total, len(c.want))
		}
	}
	first, err := s.Store.Runtimes(t.Context(), s.tester, posture.AsOf{}, posture.RuntimeFilter{Limit: 2})
	if err != nil || first.Next != "ci-runner" || first.Total != 3 || len(first.Rows) != 2 {
		t.Errorf("the first page: %v, next %q, %d in all, %v", slugs(first), first.Next, first.Total, err)
	}
	_, err = s.Store.Runtimes(t.Context(), s.tester, posture.AsOf{}, posture.RuntimeFilter{Reading: "fine", Stage: "gone"})
	if diff := cmp.Diff([]string{"stage", "reading"}, faults(err)); diff != "" {
		t.Errorf("unknown words (-want +got):\n%s", diff)
	}
}

// TestLaw01ColumnsNeverMerge: a runtime's counts stand in two columns; what is
// judged at the receivers never enters the first.
func TestLaw01ColumnsNeverMerge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	if err := s.Store.Link(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS))
	s.later()
	list, err := s.Store.Runtimes(t.Context(), s.tester, posture.AsOf{}, posture.RuntimeFilter{})
	if err != nil {
		t.Fatal(err)
	}
	row := list.Rows[0]
	execution := posture.ColumnCounts{Worst: posture.LabelConfigured, Any: true, Supported: 2, Tested: 1, Required: 2}
	receivers := posture.ColumnCounts{Worst: posture.LabelContradicted, Any: true, Against: 1, Required: 1}
	if diff := cmp.Diff([2]posture.ColumnCounts{execution, receivers}, [2]posture.ColumnCounts{row.Execution, row.Receivers}); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if row.Open != 1 {
		t.Errorf("%d discrepancies are open", row.Open)
	}
	page, err := s.Store.RuntimePage(t.Context(), s.tester, posture.AsOf{}, "case-assistant")
	if err != nil || page.Counts.Execution.Required != 2 || page.Counts.Receivers.Required != 1 || page.Counts.Receivers.Tested() != 0 {
		t.Errorf("the page counts %+v, %v", page.Counts, err)
	}
}

// TestTwoClocks: what is known now of an instant then, and what was known then,
// are two answers in every list.
func TestTwoClocks(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := s.Store.Link(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	s.tested(t)
	then := s.Clock.Now()
	s.Clock.Add(3 * posture.Day)
	// Seen on a day before then, recorded three days after it.
	late := s.test(s.unit, "FS-1", "run 0", "XS-09", posture.Deny, posture.Fail, identityR1)
	late.ObservedAt = then.Add(-2 * time.Hour)
	s.record(t, late)
	s.later()
	known := posture.AsOf{At: then, Known: s.Clock.Now(), Past: true}
	for name, c := range map[string]struct {
		o       posture.AsOf
		label   posture.Label
		open    int
		against []string
	}{
		"as known then": {posture.AsOf{At: then, Past: true}, posture.LabelTested, 0, []string{}},
		"as known now":  {known, posture.LabelContradicted, 1, []string{"case-assistant"}},
	} {
		page, err := s.Store.RuntimePage(t.Context(), s.tester, c.o, "case-assistant")
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range page.Statements {
			if row.Statement == "FS-1" && row.Verdict.Label != c.label {
				t.Errorf("%s FS-1 reads %s", name, row.Verdict.Label)
			}
		}
		if page.Open != c.open {
			t.Errorf("%s %d are open", name, page.Open)
		}
		overview := s.overview(t, s.tester, c.o)
		if got := overview.Counts.Of(c.label); got != 1 {
			t.Errorf("%s the overview counts %+v", name, overview.Counts)
		}
		if got := overview.Rows[0].Cells[1].Label; got != c.label {
			t.Errorf("%s the matrix shows %s", name, got)
		}
		list, err := s.Store.Runtimes(t.Context(), s.tester, c.o, posture.RuntimeFilter{Reading: "against"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.against, slugs(list)); diff != "" {
			t.Errorf("%s the list (-want +got):\n%s", name, diff)
		}
		cell, err := s.Store.CellPage(t.Context(), s.tester, c.o, "case-assistant", "FS")
		if err != nil || cell.Cell.Label != c.label || len(cell.Items) != 1 {
			t.Errorf("%s the cell reads %+v, %v", name, cell.Cell, err)
		}
	}
}

// TestLeftToSettle: beyond what a request settles itself, rows that are out of
// date are left out of counts and said to be settling, and never shown as they
// were.
func TestLeftToSettle(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	// A page as of an instant ahead cannot settle what has not passed yet.
	ahead := posture.AsOf{At: s.Clock.Now().Add(300 * posture.Day)}
	page := s.overview(t, s.tester, ahead)
	if page.Settling != 2 || page.Counts.Required != 1 {
		t.Errorf("%d settling, %+v counted", page.Settling, page.Counts)
	}
	if got := page.Rows[0].Cells[1].Label; got != posture.LabelStale {
		t.Errorf("the cell of FS is shown as it was: %s", got)
	}
	list, err := s.Store.Runtimes(t.Context(), storetest.As(posture.Viewer), ahead, posture.RuntimeFilter{Reading: "supported so far"})
	if err != nil || list.Settling != 2 || len(list.Rows) != 0 {
		t.Errorf("the list: %+v, %v", list, err)
	}
}
