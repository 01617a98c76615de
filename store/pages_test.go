package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// worked brings the scene to step 7 of model.md §2.11: a failure accepted and
// another found after it, at the receiver.
func (s *scene) worked(t *testing.T) (accepted, found string) {
	t.Helper()
	if err := s.Store.Link(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	page := s.about(s.receiver, "AD-1", posture.KindDocumentation, posture.Supports, with(identityS, posture.Region, posture.RegionAny))
	page.URL = "https://vendor.example/search"
	s.record(t, page)
	s.later()
	s.record(t, s.about(s.receiver, "AD-1", posture.KindConfiguration, posture.Supports, identityS))
	s.later()
	s.record(t, s.test(s.receiver, "AD-1", "run 2", "SD-01", posture.Permit, posture.Pass, identityS))
	accepted = s.record(t, s.test(s.receiver, "AD-1", "run 2", "SD-01", posture.Deny, posture.Fail, identityS)).ID
	s.later()
	_, _, err := s.Store.Accept(t.Context(), s.risk, posture.AcceptanceRecord{
		Acceptance: posture.Acceptance{Statement: "AD-1", Covers: []string{accepted}, ExpiresAt: s.Clock.Now().Add(20 * posture.Day)},
		Subject:    posture.SubjectRef{ID: s.receiver}, Condition: "no restricted documents indexed", Severity: posture.High,
		ReviewAt: s.Clock.Now().Add(10 * posture.Day),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.later()
	found = s.record(t, s.test(s.receiver, "AD-1", "run 3", "SD-05", posture.Deny, posture.Fail, identityS)).ID
	s.later()
	return accepted, found
}

func TestRuntimePageShowsEveryStatement(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	accepted, found := s.worked(t)
	day := func(n int) time.Time { return storetest.Start.Add(time.Hour + time.Duration(n)*posture.Day) }
	page, err := s.Store.RuntimePage(t.Context(), s.tester, posture.AsOf{}, "case-assistant")
	if err != nil {
		t.Fatal(err)
	}
	want := []posture.StatementRow{
		{
			Subject: posture.SubjectRef{ID: s.unit, Slug: "case-assistant", Name: "case-assistant"}, Statement: "FS-1", HasRequired: true,
			Verdict: posture.Verdict{Label: posture.LabelNotStated, State: posture.LabelNotStated},
		},
		{
			Subject:   posture.SubjectRef{ID: s.receiver, Kind: posture.Receiver, Slug: "document-search", Name: "document-search"},
			Statement: "AD-1", HasRequired: true,
			Verdict: posture.Verdict{
				Label: posture.LabelContradicted, State: posture.LabelContradicted, Rung: posture.Configured, Best: posture.Configured,
				Hard: []string{accepted, found},
			},
			Said: posture.RecordMark{ID: "E-0001", ObservedAt: day(0)}, Configured: posture.RecordMark{ID: "E-0002", ObservedAt: day(1)},
			Tested: posture.RecordMark{ID: found, ObservedAt: day(4), Against: true, Run: "run 3"}, Discrepancy: 1,
		},
	}
	if diff := cmp.Diff(want, page.Statements, cmpopts.IgnoreFields(posture.StatementRow{}, "Requirement"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if page.Open != 2 || page.Evidence != 5 || len(page.Links) != 1 || page.Links[0].Owner != "R. Banerjee" {
		t.Errorf("%d open, %d records, links %+v", page.Open, page.Evidence, page.Links)
	}
	// A day before the last failure the acceptance carried the first.
	past, err := s.Store.RuntimePage(t.Context(), s.tester, posture.AsOf{At: day(3).Add(time.Hour), Past: true}, "case-assistant")
	if err != nil {
		t.Fatal(err)
	}
	row := past.Statements[1]
	if row.Verdict.Label != posture.LabelAcceptedRisk || row.CarriedBy != "test:Ines Marchetti" || !row.CarriedUntil.Equal(day(23)) ||
		row.Tested.ID != accepted || past.Open != 1 || past.Evidence != 4 {
		t.Errorf("a day before it reads %+v, %d open, %d records", row, past.Open, past.Evidence)
	}
}

// TestMarksLeaveOutWhatIsNoEvidence: withdrawn records and tests that ended in
// neither pass nor fail are no dates.
func TestMarksLeaveOutWhatIsNoEvidence(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.record(t, s.test(s.unit, "FS-1", "run 1", "XS-01", posture.Permit, posture.Pass, identityR1))
	s.later()
	s.record(t, s.test(s.unit, "FS-1", "run 2", "XS-01", posture.Permit, posture.Inconclusive, identityR1))
	gone := s.record(t, s.test(s.unit, "FS-1", "run 3", "XS-01", posture.Permit, posture.Pass, identityR1))
	mark := func(o posture.AsOf) string {
		page, err := s.Store.RuntimePage(t.Context(), s.tester, o, "case-assistant")
		if err != nil {
			t.Fatal(err)
		}
		return page.Statements[0].Tested.ID
	}
	if got := mark(posture.AsOf{}); got != gone.ID {
		t.Errorf("the newest test is %s", got)
	}
	s.later()
	before := posture.AsOf{At: s.Clock.Now().Add(-time.Hour), Past: true}
	if _, err := s.Store.Withdraw(t.Context(), s.tester, gone.Row, "wrong target"); err != nil {
		t.Fatal(err)
	}
	s.later()
	if got := mark(posture.AsOf{}); got != first.ID {
		t.Errorf("after the withdrawal the newest test is %s", got)
	}
	if got := mark(before); got != gone.ID {
		t.Errorf("before the withdrawal it was %s", got)
	}
}

// TestLaw10OneJudge: the facts that a cell page gives, judged, say what the
// stored verdict says, now and then.
func TestLaw10OneJudge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	accepted, found := s.worked(t)
	closure := invalid(accepted)
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, closure); err != nil {
		t.Fatal(err)
	}
	s.later()
	for _, subject := range []int64{s.unit, s.receiver} {
		for _, statement := range []string{"FS-1", "PE-2", "AD-1", "ME-1"} {
			for days := range 14 {
				o := posture.AsOf{At: storetest.Start.Add(time.Duration(days)*posture.Day + 2*time.Hour), Past: true}
				if o.At.After(s.Clock.Now()) {
					continue
				}
				item, err := s.Store.StatementPage(t.Context(), s.tester, o, subject, statement)
				if err != nil {
					t.Fatal(err)
				}
				judged := posture.Judge(&item.Facts, o.At, o.At)
				if diff := cmp.Diff(item.Row.Verdict, judged, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s of %d on day %d (-stored +judged):\n%s", statement, subject, days, diff)
				}
			}
		}
	}
	page, err := s.Store.CellPage(t.Context(), s.tester, posture.AsOf{}, "case-assistant", "AD")
	if err != nil {
		t.Fatal(err)
	}
	item := page.Items[0]
	if len(item.Closures) != 1 || item.Closures[0].ByName != "test:P. Haas" || len(item.Acceptances) != 1 ||
		item.Acceptances[0].Condition != "no restricted documents indexed" || item.Acceptances[0].Severity != posture.VeryHigh {
		t.Errorf("decisions %+v, %+v", item.Closures, item.Acceptances)
	}
	if len(item.Records) != 5 || item.Records[found].Words != "what was seen" || item.Target.Identity != identityS {
		t.Errorf("%d records, %+v on %v", len(item.Records), item.Records[found], item.Target.Identity)
	}
	d := item.Discrepancy
	if d == nil || d.Label != posture.LabelContradicted || !d.Open || len(d.Sightings) != 1 || d.Sightings[0].Evidence != found {
		t.Errorf("discrepancy %+v", d)
	}
}

func TestCellPageContrastsTheOtherColumn(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	s.worked(t)
	for dimension, want := range map[string][2][]string{
		"AD": {{"AD-1 document-search"}, {"FS-1 case-assistant"}},
		"FS": {{"FS-1 case-assistant"}, {"AD-1 document-search"}},
		"PE": {{"PE-2 case-assistant"}, {"AD-1 document-search"}},
		"LF": {nil, nil},
	} {
		page, err := s.Store.CellPage(t.Context(), s.tester, posture.AsOf{}, "case-assistant", dimension)
		if err != nil {
			t.Fatal(err)
		}
		var got [2][]string
		for _, item := range page.Items {
			got[0] = append(got[0], item.Row.Statement+" "+item.Row.Subject.Slug)
		}
		for _, row := range page.Contrast {
			got[1] = append(got[1], row.Statement+" "+row.Subject.Slug)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", dimension, diff)
		}
		if page.Cell.Dimension != dimension || page.Runtime.Slug != "case-assistant" {
			t.Errorf("%s: %+v of %s", dimension, page.Cell, page.Runtime.Slug)
		}
	}
	for _, where := range [][2]string{{"case-assistant", "XX"}, {"none", "FS"}} {
		if _, err := s.Store.CellPage(t.Context(), s.tester, posture.AsOf{}, where[0], where[1]); posture.KindOf(err) != posture.NotFound {
			t.Errorf("cell %v: %v", where, err)
		}
	}
}

func TestStatementPageOfAStatementThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	item, err := s.Store.StatementPage(t.Context(), s.tester, posture.AsOf{}, s.unit, "LF-1")
	if err != nil {
		t.Fatal(err)
	}
	if item.Row.HasRequired || item.Row.Verdict.Label != posture.LabelNotStated || item.Row.Subject.Slug != "case-assistant" ||
		item.Facts.Target != identityR1 || item.Facts.Windows == nil || item.Facts.Windows.Test != 180*posture.Day {
		t.Errorf("it reads %+v", item)
	}
	for subject, statement := range map[int64]string{s.unit: "XX-1", 999: "LF-1"} {
		if _, err := s.Store.StatementPage(t.Context(), s.tester, posture.AsOf{}, subject, statement); posture.KindOf(err) != posture.NotFound {
			t.Errorf("%s of %d: %v", statement, subject, err)
		}
	}
}
