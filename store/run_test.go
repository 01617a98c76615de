package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// file is a results file as an importer hands it over.
type file struct {
	in      posture.Import
	results []posture.Result
}

// importFile gives an import of results named by their file.
func importFile(name string, id posture.Identity, results ...posture.Result) *file {
	sum := sha256.Sum256([]byte(name))
	f := &file{in: posture.Import{
		File: name, Format: "junit", SHA256: hex.EncodeToString(sum[:]), Runtime: "case-assistant", Identity: id,
		Receivers: map[string]posture.Identity{"document-search": identityS},
	}}
	for i := range results {
		r := &results[i]
		r.Seq, r.Line = i+1, 10+i
	}
	f.results = results
	f.in.Summary = f.summary
	return f
}

func (f *file) summary() posture.Receipt {
	r := posture.Receipt{Records: posture.RecordCounts{Read: len(f.results), Stored: len(f.results)}, Completeness: "complete"}
	for i := range f.results {
		if f.results[i].Statement == "" {
			r.Unmapped++
		} else {
			r.Mapped++
		}
	}
	return r
}

func (f *file) stream(take func(*posture.Result) error) error {
	var one posture.Result // used again, as an importer may
	for i := range f.results {
		one = f.results[i]
		if err := take(&one); err != nil {
			return err
		}
	}
	return nil
}

func (s *scene) importIt(t *testing.T, f *file) posture.Receipt {
	t.Helper()
	r, err := s.Store.RecordImport(t.Context(), s.tester, f.in, f.stream)
	if err != nil {
		t.Fatalf("import %s: %v", f.in.File, err)
	}
	return r
}

func (s *scene) result(statement, name string, expected posture.Expected, outcome posture.Outcome) posture.Result {
	return posture.Result{
		Suite: "boundaries", Class: "isolation", Name: name + " " + expected.String(), Outcome: outcome, Message: "what the harness said",
		Duration: 1500 * time.Millisecond, ObservedAt: s.Clock.Now().Add(-time.Hour), Statement: statement, Scenario: name, Case: name,
		Expected: expected, ControlOK: true, ObservedBehaviour: "seen", RefusalOrigin: "gateway", Tester: "T. Arroyo", MappedBy: "properties",
	}
}

func (s *scene) at(receiver string, r posture.Result) posture.Result {
	r.Receiver = receiver
	return r
}

// counts gives the rows of the tables that an import writes.
func (s *scene) counts(t *testing.T) (n [6]int64) {
	t.Helper()
	for i, table := range []string{"run", "result", "evidence", "discrepancy", "run_receipt", "artefact"} {
		n[i] = s.query(t, `select count(*) from `+table)
	}
	return n
}

// Law 9: an import is whole.
func TestLaw9AnImportIsWhole(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	f := importFile("run-2.xml", identityR1,
		s.result("FS-1", "XS-01", posture.Permit, posture.Pass),
		s.result("FS-1", "XS-01", posture.Deny, posture.Pass),
		s.at("document-search", s.result("AD-1", "SD-01", posture.Permit, posture.Pass)),
		s.at("document-search", s.result("AD-1", "SD-01", posture.Deny, posture.Fail)),
		s.result("LF-2", "SR-05", posture.Deny, posture.Skipped),
		posture.Result{Name: "custom-12", Outcome: posture.Pass, ObservedAt: s.Clock.Now()},
	)
	f.results[3].Direction = "Acme → Birch"
	stored := []byte("redacted")
	sum := sha256.Sum256(stored)
	f.in.Stored = func() (posture.StoredCopy, error) {
		return posture.StoredCopy{SHA256: hex.EncodeToString(sum[:]), Size: 8, Media: "application/xml", Chunks: func(give func([]byte) error) error { return give(stored) }}, nil
	}
	r := s.importIt(t, f)
	if got := s.labels(t); got != [2]string{"tested", "contradicted"} {
		t.Errorf("labels %v", got)
	}
	want := posture.Receipt{
		File: "run-2.xml", Format: "junit", SHA256: f.in.SHA256, StoredSHA256: hex.EncodeToString(sum[:]),
		Records: posture.RecordCounts{Read: 6, Stored: 6}, Mapped: 5, Unmapped: 1, Completeness: "complete",
		Run: r.Run, Runtime: "case-assistant", Attributed: true, Discrepancies: []int64{1},
		Moved: []posture.Movement{
			{Subject: posture.SubjectRef{ID: s.unit, Slug: "case-assistant", Name: "case-assistant"}, On: "case-assistant", Kind: "unit", Statement: "FS-1", From: "not_stated", To: "tested", Because: fmt.Sprintf("run %d", r.Run), At: s.Clock.Now()},
			{Subject: posture.SubjectRef{ID: s.receiver, Kind: posture.Receiver, Slug: "document-search", Name: "document-search"}, On: "document-search", Kind: "receiver", Statement: "AD-1", From: "not_stated", To: "contradicted", Because: fmt.Sprintf("E-0004 stands against it; run %d", r.Run), At: s.Clock.Now()},
		},
		Unmoved: []string{"LF-2: not moved, skipped is no evidence either way"},
		Proved: []string{
			"1 permitted request behaved as required (FS-1)",
			"1 refusal behaved as required, on the exact version 1, policy sha256:0001 (FS-1)",
			"1 permitted request behaved as required (AD-1 at document-search)",
			"1 refusal that should have happened did not, on the exact release s4, policy sp2 (AD-1 at document-search)",
		},
		NotProved: []string{
			"Nothing for LF-2: skipped is no evidence either way",
			"Birch → Acme was not in the file",
			"Nothing from 1 unmapped result: it names no statement",
		},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("receipt (-want +got):\n%s", diff)
	}
	list, _, err := s.Store.Evidence(t.Context(), s.tester, posture.AsOf{}, posture.RecordFilter{Statement: "AD-1"})
	if err != nil || len(list) != 2 {
		t.Fatalf("evidence %+v %v", list, err)
	}
	e := list[0]
	if e.Identity != identityS || e.Run != strconv.FormatInt(r.Run, 10) || e.ImportRun != r.Run || e.Polarity != posture.Contradicts ||
		e.Direction != "Acme → Birch" || e.Tester != "T. Arroyo" || e.Title != "SD-01 deny" || e.Words != "what the harness said" || !e.ControlOK {
		t.Errorf("evidence of the failure: %+v", e)
	}
	for what, n := range map[string]int64{
		"the run's results audited once":  s.query(t, `select row_count from audit where relation = 'result' and op = 'import'`),
		"the run's evidence audited once": s.query(t, `select row_count from audit where relation = 'evidence' and op = 'import'`) + 1,
	} {
		if n != 6 {
			t.Errorf("%s: %d", what, n)
		}
	}
}

func TestRunAndItsResultsReadBack(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	one := s.result("FS-1", "XS-01", posture.Permit, posture.Pass)
	one.ZoneAssumed, one.Path, one.Direction, one.Text, one.Cut, one.Run = true, "query", "A → B", "out\nput é", 17, "nightly"
	one.Identity = posture.Identity{posture.Image: "sha256:ff"}
	two := s.result("FS-1", "XS-01", posture.Deny, posture.Inconclusive)
	f := importFile("readback.xml", identityR1, one, two)
	r := s.importIt(t, f)
	got, err := s.Store.RunResults(t.Context(), s.tester, r.Run, 0, 0)
	if diff := cmp.Diff(f.results, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	rest, err := s.Store.RunResults(t.Context(), s.tester, r.Run, 1, 10)
	if err != nil || len(rest) != 1 || rest[0].Seq != 2 {
		t.Errorf("the rest: %+v %v", rest, err)
	}
	run, err := s.Store.Run(t.Context(), s.tester, r.Run)
	if err != nil || run.File != "readback.xml" || run.Runtime != "case-assistant" || run.By != s.tester.Actor || run.Withdrawn {
		t.Errorf("run %+v %v", run, err)
	}
	if run.Receipt.Run != r.Run || run.Receipt.Records != r.Records {
		t.Errorf("its receipt %+v", run.Receipt)
	}
	if _, err := s.Store.Run(t.Context(), s.tester, 999); posture.KindOf(err) != posture.NotFound {
		t.Errorf("no run: %v", err)
	}
	// The record's own identity goes before the run's.
	e, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, 1)
	if err != nil || e.Identity != with(identityR1, posture.Image, "sha256:ff") {
		t.Errorf("identity %v %v", e.Identity, err)
	}
	before := s.Clock.Now()
	s.later()
	second := s.importIt(t, importFile("second.xml", identityR1, s.result("FS-1", "XS-01", posture.Permit, posture.Pass)))
	list, next, err := s.Store.Runs(t.Context(), s.tester, posture.AsOf{}, 0, 1)
	if err != nil || len(list) != 1 || list[0].ID != second.Run || next != second.Run {
		t.Errorf("newest %+v, next %d, %v", list, next, err)
	}
	list, _, err = s.Store.Runs(t.Context(), s.tester, posture.AsOf{At: before, Past: true}, 0, 10)
	if err != nil || len(list) != 1 || list[0].ID != r.Run {
		t.Errorf("as of before the second: %+v %v", list, err)
	}
	for row := int64(1); row <= 2; row++ {
		if _, err := s.Store.Withdraw(t.Context(), s.tester, row, "the harness ran against a copy"); err != nil {
			t.Fatal(err)
		}
	}
	if run, err = s.Store.Run(t.Context(), s.tester, r.Run); err != nil || !run.Withdrawn {
		t.Errorf("all of it withdrawn: %+v %v", run, err)
	}
}

func TestTheSameBytesTwiceChangeNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	f := importFile("twice.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	first := s.importIt(t, f)
	before, audited := s.counts(t), s.query(t, `select count(*) from audit`)
	imported := s.Clock.Now()
	s.later()
	s.Counter.Reset()
	again, err := s.Store.RecordImport(t.Context(), s.tester, f.in, func(func(*posture.Result) error) error {
		t.Error("the file was read again")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Counter.Statements()); n != 1 {
		t.Errorf("%d statements: %q", n, s.Counter.Statements())
	}
	if again.AlreadyOn == nil || !again.AlreadyOn.Equal(imported) || again.Run != first.Run || again.Records != first.Records {
		t.Errorf("receipt %+v", again)
	}
	if after := s.counts(t); after != before || s.query(t, `select count(*) from audit`) != audited {
		t.Errorf("rows %v, then %v", before, after)
	}
	f.in.DryRun = true
	if again = s.importIt(t, f); again.AlreadyOn == nil {
		t.Errorf("dry run of a stored file: %+v", again)
	}
}

func TestTheSameBytesAtOneTime(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	f := importFile("race.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Pass))
	var group sync.WaitGroup
	receipts := make([]posture.Receipt, 4)
	for i := range receipts {
		group.Go(func() {
			var err error
			if receipts[i], err = s.Store.RecordImport(t.Context(), s.tester, f.in, f.stream); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	fresh := 0
	for _, r := range receipts {
		if r.AlreadyOn == nil {
			fresh++
		}
	}
	if fresh != 1 || s.counts(t)[0] != 1 || s.counts(t)[1] != 1 {
		t.Errorf("%d imports took place, rows %v", fresh, s.counts(t))
	}
}

func TestDryRunKeepsNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	f := importFile("dry.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail))
	f.in.DryRun = true
	r := s.importIt(t, f)
	if r.Run != 0 || len(r.Moved) != 1 || r.Moved[0].To != "contradicted" || r.AlreadyOn != nil {
		t.Errorf("receipt %+v", r)
	}
	if n := s.counts(t); n != [6]int64{} {
		t.Errorf("rows %v", n)
	}
	if n := s.query(t, `select count(*) from pg_class where relname like 'result\_%' and relkind = 'r'`); n != 0 {
		t.Errorf("%d tables of results", n)
	}
	if n := s.query(t, `select count(*) from audit where relation in ('run', 'result', 'evidence')`); n != 0 {
		t.Errorf("%d audit rows", n)
	}
	f.in.DryRun = false
	if r := s.importIt(t, f); r.AlreadyOn != nil || s.counts(t)[1] != 1 {
		t.Errorf("the real one after it: %+v", r)
	}
}

func TestABrokenStreamLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	broken := errors.New("the file ends in the middle")
	good := s.result("FS-1", "XS-01", posture.Deny, posture.Fail)
	for name, c := range map[string]struct {
		stream func(take func(*posture.Result) error) error
		want   func(error) bool
	}{
		"at once": {func(func(*posture.Result) error) error { return broken }, func(err error) bool { return errors.Is(err, broken) }},
		"after more than a buffer": {func(take func(*posture.Result) error) error {
			for i := range 5000 {
				r := good
				r.Seq = i + 1
				if err := take(&r); err != nil {
					return err
				}
			}
			return broken
		}, func(err error) bool { return errors.Is(err, broken) }},
		"the same record twice": {func(take func(*posture.Result) error) error {
			for range 5000 {
				r := good
				r.Seq = 1
				if err := take(&r); err != nil {
					return err
				}
			}
			return nil
		}, func(err error) bool { return err != nil && posture.KindOf(err) == posture.Internal }},
		"no time": {func(take func(*posture.Result) error) error {
			r := good
			r.Seq, r.Line, r.ObservedAt = 7, 51, time.Time{}
			return take(&r)
		}, func(err error) bool {
			return posture.KindOf(err) == posture.Invalid && strings.Contains(err.Error(), "Record 7 (line 51)")
		}},
		"no text": {func(take func(*posture.Result) error) error {
			r := good
			r.Seq, r.Message = 7, "a\x00b"
			return take(&r)
		}, func(err error) bool { return posture.KindOf(err) == posture.Invalid }},
		"seen in the future": {func(take func(*posture.Result) error) error {
			r := good
			r.Seq, r.ObservedAt = 1, s.Clock.Now().Add(time.Hour)
			return take(&r)
		}, func(err error) bool {
			return posture.KindOf(err) == posture.Invalid && slices.Contains(faults(err), "observed_at")
		}},
	} {
		f := importFile("broken.xml", identityR1)
		f.in.Summary = nil
		_, err := s.Store.RecordImport(t.Context(), s.tester, f.in, c.stream)
		if !c.want(err) {
			t.Errorf("%s: %v", name, err)
		}
		if n := s.counts(t); n != [6]int64{} {
			t.Errorf("%s: rows %v", name, n)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic of the stream was swallowed")
			}
		}()
		f := importFile("panic.xml", identityR1)
		_, _ = s.Store.RecordImport(t.Context(), s.tester, f.in, func(func(*posture.Result) error) error { panic("importer") })
	}()
	f := importFile("counts.xml", identityR1, good)
	f.in.Summary = func() posture.Receipt {
		return posture.Receipt{Records: posture.RecordCounts{Read: 3, Stored: 2, Refused: 1}}
	}
	if _, err := s.Store.RecordImport(t.Context(), s.tester, f.in, f.stream); err == nil {
		t.Error("counts that do not add up are stored")
	}
	if n := s.counts(t); n != [6]int64{} {
		t.Errorf("rows %v", n)
	}
	// The pool is whole after all that.
	s.importIt(t, importFile("good.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Pass)))
}
