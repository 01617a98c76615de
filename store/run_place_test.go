package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestUnattributedRunsReachNoCell(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	moved := importFile("moved.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail), s.result("FS-1", "XS-01", posture.Permit, posture.Pass))
	moved.in.IdentityEnd = posture.Identity{posture.Image: "sha256:00d2"}
	nowhere := importFile("nowhere.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	nowhere.in.Runtime = ""
	for f, why := range map[*file]string{moved: "its target moved while it ran (image)", nowhere: "it names no runtime"} {
		r := s.importIt(t, f)
		if r.Attributed || len(r.Moved) != 0 || len(r.Discrepancies) != 0 || !slices.Equal(r.NotProved, []string{"Nothing reaches a cell: the run is unattributed, " + why}) {
			t.Errorf("%s: %+v", f.in.File, r)
		}
		want := []posture.Problem{{Line: 10, Record: 1, What: "deny failed for FS-1 (XS-01 deny): unattributed, reaches no cell", Severity: "warning"}}
		if diff := cmp.Diff(want, r.Problems); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.in.File, diff)
		}
	}
	if n := s.counts(t); n[0] != 2 || n[1] != 3 || n[2] != 0 {
		t.Errorf("rows %v", n)
	}
	if got := s.labels(t); got != [2]string{"not_stated", "not_stated"} {
		t.Errorf("labels %v", got)
	}
	same := importFile("same.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	same.in.IdentityEnd = posture.Identity{posture.Image: identityR1[posture.Image], posture.Tools: "sha256:70015"}
	s.importIt(t, same)
	e, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, 1)
	if err != nil || e.Identity != with(identityR1, posture.Tools, "sha256:70015") {
		t.Errorf("what was read at the end alone: %v %v", e.Identity, err)
	}
}

// Law 3: good news needs identity. A receiver's is its own: the runtime's never
// enters it, and nothing is filled in from the target in force.
func TestLaw3GoodNewsNeedsIdentity(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	own := s.at("document-search", s.result("AD-1", "SD-01", posture.Deny, posture.Fail))
	own.Identity = posture.Identity{posture.Version: "s5"}
	f := importFile("stated.xml", posture.Identity{posture.Vendor: "V", posture.Image: "sha256:d1"}, own, s.result("FS-1", "XS-01", posture.Deny, posture.Pass))
	f.in.Receivers = map[string]posture.Identity{"document-search": {posture.Product: "Search", posture.Version: "s4"}}
	r := s.importIt(t, f)
	for row, want := range map[int64]posture.Identity{
		1: {posture.Product: "Search", posture.Version: "s5"}, 2: {posture.Vendor: "V", posture.Image: "sha256:d1"},
	} {
		e, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, row)
		if err != nil || e.Identity != want {
			t.Errorf("%d: %v %v", row, e.Identity, err)
		}
	}
	if got := s.labels(t); got != [2]string{"not_stated", "suspect"} {
		t.Errorf("good news needs identity, bad news does not: %v", got)
	}
	if !slices.Contains(r.NotProved, "Nothing for FS-1: the file does not say its product, variant, version, policy, config and region") {
		t.Errorf("not proved: %q", r.NotProved)
	}
}

func TestResultsThatCannotBePlaced(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	f := importFile("lost.xml", identityR1,
		s.at("nowhere", s.result("AD-1", "SD-01", posture.Deny, posture.Fail)),
		s.at("nowhere", s.result("AD-1", "SD-01", posture.Permit, posture.Pass)),
		s.result("AD-1", "SD-01", posture.Deny, posture.Fail),
		s.at("document-search", s.result("FS-1", "XS-01", posture.Deny, posture.Fail)),
		s.result("FS-99", "XS-01", posture.Deny, posture.Fail),
	)
	r := s.importIt(t, f)
	want := []posture.Problem{
		{Line: 10, What: "receiver nowhere is no component in your portfolios: 2 results kept, none counted", Severity: "warning"},
		{Line: 12, What: "AD-1 is judged at a receiver and the record names none: 1 result kept, none counted", Severity: "warning"},
		{Line: 13, What: "FS-1 is judged on the isolation unit, not at document-search: 1 result kept, none counted", Severity: "warning"},
		{Line: 14, What: "FS-99 is no statement of the library: 1 result kept, none counted", Severity: "warning"},
	}
	if diff := cmp.Diff(want, r.Problems); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := s.counts(t); n[1] != 5 || n[2] != 0 {
		t.Errorf("rows %v", n)
	}
	f = importFile("no-runtime.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	f.in.Runtime = "nobody"
	_, err := s.Store.RecordImport(t.Context(), s.tester, f.in, f.stream)
	if !slices.Equal(faults(err), []string{"runtime"}) {
		t.Errorf("an unknown runtime: %v", err)
	}
}

// P16: importing the same evidence twice changes nothing, as a constraint.
func TestP16IsAConstraint(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	deny := s.result("FS-1", "XS-01", posture.Deny, posture.Pass)
	s.importIt(t, importFile("thrice.xml", identityR1, deny, deny, deny))
	if n := s.query(t, `select count(distinct occurrence) from evidence where run_id is not null`); n != 3 {
		t.Errorf("%d occurrences", n)
	}
	err := execSQL(t, s, `insert into evidence overriding system value select (jsonb_populate_record(e, '{"id": 999}')).* from evidence e where id = 1`)
	if err == nil || !strings.Contains(err.Error(), "evidence_once") {
		t.Errorf("one occurrence twice: %v", err)
	}
	err = execSQL(t, s, `insert into run overriding system value select (jsonb_populate_record(r, '{"id": 999}')).* from run r where id = 1`)
	if err == nil || !strings.Contains(err.Error(), "run_bytes") {
		t.Errorf("the same bytes twice: %v", err)
	}
}

// The four results of a pair in one file and in two behave as the model says:
// halves of two runs never combine (P21).
func TestRunsDoNotCombine(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.importIt(t, importFile("one.xml", identityR1, s.result("FS-1", "XS-01", posture.Permit, posture.Pass)))
	s.later()
	s.importIt(t, importFile("two.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Pass)))
	if got := s.label(t, s.unit, "FS-1"); got != "not_stated" {
		t.Errorf("halves of two files: %s", got)
	}
	permit, deny := s.result("FS-1", "XS-01", posture.Permit, posture.Pass), s.result("FS-1", "XS-01", posture.Deny, posture.Pass)
	permit.Run, deny.Run = "a", "b"
	s.importIt(t, importFile("three.xml", identityR1, permit, deny))
	if got := s.label(t, s.unit, "FS-1"); got != "not_stated" {
		t.Errorf("halves of two runs of one file: %s", got)
	}
	deny.Run = "a"
	s.importIt(t, importFile("four.xml", identityR1, permit, deny))
	if got := s.label(t, s.unit, "FS-1"); got != "tested" {
		t.Errorf("both halves: %s", got)
	}
}

// The whole import works for a person who reaches one portfolio only, and
// another's does not see it.
func TestImportWithinAPortfolio(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.tester
	a.AllPortfolios, a.Portfolios = false, []int64{1}
	f := importFile("scoped.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	r, err := s.Store.RecordImport(t.Context(), a, f.in, f.stream)
	if err != nil || len(r.Moved) != 1 || len(r.Discrepancies) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	if list, err := s.Store.RunResults(t.Context(), a, r.Run, 0, 10); err != nil || len(list) != 1 {
		t.Errorf("its results: %d %v", len(list), err)
	}
	a.Portfolios = []int64{999}
	if list, err := s.Store.RunResults(t.Context(), a, r.Run, 0, 10); err != nil || len(list) != 0 {
		t.Errorf("from outside: %d %v", len(list), err)
	}
	if _, err := s.Store.Run(t.Context(), a, r.Run); posture.KindOf(err) != posture.NotFound {
		t.Errorf("from outside: %v", err)
	}
	if _, err := s.Store.RecordImport(t.Context(), storetest.As(posture.Viewer), f.in, f.stream); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("by a viewer: %v", err)
	}
}

// A long import holds nobody who reads results back.
func TestReadersGoOnDuringAnImport(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	done := s.importIt(t, importFile("done.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Pass)))
	f := importFile("long.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Pass))
	_, err := s.Store.RecordImport(t.Context(), s.tester, f.in, func(take func(*posture.Result) error) error {
		if list, err := s.Store.RunResults(t.Context(), s.tester, done.Run, 0, 10); err != nil || len(list) != 1 {
			t.Errorf("results during an import: %d %v", len(list), err)
		}
		return f.stream(take)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Results are audited by the digest over them: one changed behind the
// application's back is found.
func TestVerifyRun(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	one := s.result("FS-1", "XS-01", posture.Permit, posture.Pass)
	one.Identity, one.Duration, one.Text = identityS, -time.Second, "é"
	r := s.importIt(t, importFile("verify.xml", identityR1, one, s.result("FS-1", "XS-01", posture.Deny, posture.Pass)))
	auditor := storetest.As(posture.Auditor)
	if intact, err := s.Store.VerifyRun(t.Context(), auditor, r.Run); err != nil || !intact {
		t.Errorf("intact %t, %v", intact, err)
	}
	if err := execSQL(t, s, `update result set outcome = 'fail' where seq = 2`); err != nil {
		t.Fatal(err)
	}
	if intact, err := s.Store.VerifyRun(t.Context(), auditor, r.Run); err != nil || intact {
		t.Errorf("after a change: intact %t, %v", intact, err)
	}
	if _, err := s.Store.VerifyRun(t.Context(), auditor, 999); posture.KindOf(err) != posture.NotFound {
		t.Errorf("no run: %v", err)
	}
	if _, err := s.Store.VerifyRun(t.Context(), s.tester, r.Run); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("by an editor: %v", err)
	}
}

// Removing the sample takes its runs, their results and receipts with it.
func TestRemoveSampleTakesItsRuns(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failed := s.importIt(t, importFile("sample.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail)))
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, invalid("E-0001")); err != nil {
		t.Fatal(err)
	}
	if err := execSQL(t, s, `update portfolio set sample = true`); err != nil {
		t.Fatal(err)
	}
	if err := s.Store.RemoveSample(t.Context(), storetest.As(posture.Admin), 1); err != nil {
		t.Fatal(err)
	}
	if n := s.counts(t); n != [6]int64{} {
		t.Errorf("rows %v", n)
	}
	if n := s.query(t, `select count(*) from pg_class where relname = 'result_' || $1::bigint::text`, failed.Run); n != 0 {
		t.Error("its table of results is left")
	}
}
