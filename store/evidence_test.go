package store_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestRecordEvidenceGivesBackWhatWasRecorded(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	in := s.test(s.receiver, "AD-1", "run 2", "SD-01", posture.Deny, posture.Fail, identityS)
	in.ObservedAt = s.Clock.Now().Add(-time.Hour).In(time.FixedZone("CET", 3600))
	in.SourceRole, in.SourceName, in.Title, in.Words = "independent", "Lab", "Search by name", "returned BIRCH-MARK-01"
	in.URL, in.ObservedBehaviour, in.RefusalOrigin = "https://lab.example/report", "two records", "none"
	in.Path, in.Direction, in.Tester, in.ValidUntil = "query", "Acme → Birch", "T. Arroyo", s.Clock.Now().Add(time.Hour)
	saved, moves, err := s.Store.RecordEvidence(t.Context(), s.tester, in, &posture.Upload{Name: "log.txt", Media: "text/plain", Body: []byte("BIRCH-MARK-01")})
	if err != nil {
		t.Fatal(err)
	}
	want := in
	want.ID, want.Row, want.RecordedAt, want.RecordedBy, want.Method = saved.ID, saved.Row, s.Clock.Now(), s.tester.Actor, "test"
	want.Polarity, want.Subject = posture.Contradicts, posture.SubjectRef{ID: s.receiver, Kind: posture.Receiver, Slug: "document-search", Name: "document-search"}
	if diff := cmp.Diff(want, saved, cmpopts.IgnoreFields(posture.Record{}, "Artefact")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !saved.ObservedAt.Equal(in.ObservedAt) || saved.ObservedAt.Location() != time.UTC {
		t.Errorf("observed at %s", saved.ObservedAt)
	}
	if len(moves) != 1 || moves[0].On != "document-search" || moves[0].To != "contradicted" || !strings.Contains(moves[0].Because, saved.ID) {
		t.Errorf("moved %+v", moves)
	}
	var kept bytes.Buffer
	begin := func(name, media string, size int64) error {
		if name != "log.txt" || media != "text/plain" || size != 13 {
			t.Errorf("kept as %s, %s, %d bytes", name, media, size)
		}
		return nil
	}
	if err := s.Store.Artefact(t.Context(), s.tester, saved.Artefact, begin, &kept); err != nil || kept.String() != "BIRCH-MARK-01" {
		t.Errorf("artefact %q: %v", kept.String(), err)
	}
	again, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, saved.Row)
	if diff := cmp.Diff(saved, again); err != nil || diff != "" {
		t.Errorf("read again: %v\n%s", err, diff)
	}
}

func TestRecordEvidenceRefuses(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	bad := posture.Record{Subject: posture.SubjectRef{ID: s.unit}, Evidence: posture.Evidence{Kind: posture.KindTest, Statement: "AD-1", ObservedAt: s.Clock.Now().Add(time.Minute)}}
	_, _, err := s.Store.RecordEvidence(t.Context(), s.tester, bad, &posture.Upload{})
	if got := faults(err); !slices.Equal(got, []string{"statement", "observed_at", "run", "case", "expected", "outcome", "artefact"}) {
		t.Errorf("faults %v: %v", got, err)
	}
	bad = s.about(s.unit, "FS-99", posture.KindStatement, posture.Supports, identityR1)
	if _, _, err := s.Store.RecordEvidence(t.Context(), s.tester, bad, nil); !slices.Equal(faults(err), []string{"statement"}) {
		t.Errorf("on no statement: %v", err)
	}
	bad = s.about(s.unit+1000, "FS-1", posture.KindStatement, posture.Supports, identityR1)
	if _, _, err := s.Store.RecordEvidence(t.Context(), s.tester, bad, nil); posture.KindOf(err) != posture.NotFound {
		t.Errorf("on no subject: %v", err)
	}
	if n := s.query(t, `select count(*) from evidence`); n != 0 {
		t.Errorf("%d rows kept", n)
	}
}

func TestEvidenceRoles(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	claim := s.about(s.unit, "FS-1", posture.KindStatement, posture.Supports, identityR1)
	test := s.test(s.unit, "FS-1", "r", "c", posture.Permit, posture.Pass, identityR1)
	failed := s.record(t, s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Fail, identityR1))
	for role, want := range map[posture.Role][4]bool{ // claim, test, close, accept
		posture.Viewer: {}, posture.Auditor: {}, posture.Procurement: {true},
		posture.Editor: {true, true, true}, posture.Admin: {true, true, true}, posture.RiskOwner: {false, false, true, true},
	} {
		a := storetest.As(role)
		_, claimed := s.Store.PreviewEvidence(t.Context(), a, claim)
		_, tested := s.Store.PreviewEvidence(t.Context(), a, test)
		_, closed := s.Store.PreviewClosure(t.Context(), a, posture.ClosureRecord{
			Closure: posture.Closure{Closes: failed.ID, Kind: posture.TestInvalid}, Text: "the fixture was missing",
		})
		c := s.acceptance(failed.ID)
		c.Subject.ID, c.Statement = s.unit, "FS-1"
		_, accepted := s.Store.PreviewAcceptance(t.Context(), a, c)
		var got [4]bool
		for i, err := range []error{claimed, tested, closed, accepted} {
			got[i] = err == nil
			if err != nil && posture.KindOf(err) != posture.Forbidden {
				t.Errorf("%s, action %d: %v", role, i, err)
			}
		}
		if got != want {
			t.Errorf("%s may %v, want %v", role, got, want)
		}
	}
}

func TestPreviewEvidenceKeepsNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	preview := func(r posture.Record) posture.Preview {
		t.Helper()
		p, err := s.Store.PreviewEvidence(t.Context(), s.tester, r)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := preview(s.about(s.unit, "FS-1", posture.KindConfiguration, posture.Supports, identityR1))
	if len(p.Moves) != 1 || p.Moves[0].To != "configured" || len(p.Notes) != 0 {
		t.Errorf("a configuration: %+v", p)
	}
	for name, c := range map[string]struct {
		r    posture.Record
		want string
	}{
		"half":      {s.test(s.unit, "FS-1", "r", "c", posture.Permit, posture.Pass, identityR1), "Nothing moves: a passing permit is half of a pair."},
		"drifted":   {s.test(s.unit, "FS-1", "r", "c", posture.Permit, posture.Pass, with(identityR1, posture.Config, "sha256:00ff")), "Nothing moves: config in the record is not the running one."},
		"elsewhere": {s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Fail, with(identityR1, posture.Variant, "other")), "Nothing moves: variant in the record is not the running one, and evidence never travels."},
		"unknown":   {s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Pass, with(identityR1, posture.Image, "")), "Nothing moves: image is not known on both sides."},
		"unclear":   {s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Inconclusive, identityR1), "Nothing moves: inconclusive is no evidence either way."},
	} {
		if p := preview(c.r); len(p.Moves) != 0 || !slices.Equal(p.Notes, []string{c.want}) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	for _, table := range []string{"evidence", "verdict", "discrepancy", "sighting"} {
		if n := s.query(t, `select count(*) from `+table+` where true`); table != "verdict" && n != 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
	if got := s.labels(t); got != [2]string{"not_stated", "not_stated"} {
		t.Errorf("labels %v", got)
	}
}

func TestANewerCaptureSupersedes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	page := s.about(s.unit, "FS-1", posture.KindDocumentation, posture.Supports, with(identityR1, posture.Region, "any"))
	page.URL = "https://vendor.example/isolation"
	old := s.record(t, page)
	s.later()
	page.Polarity, page.ObservedAt = posture.Contradicts, s.Clock.Now()
	newer := s.record(t, page)
	if got := s.label(t, s.unit, "FS-1"); got != "not_provided" {
		t.Errorf("the newer page says it is not offered: %s", got)
	}
	read, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, old.Row)
	if err != nil || read.SupersededBy != newer.ID || !read.WithdrawnAt.Equal(newer.RecordedAt) {
		t.Errorf("the older page: superseded by %q at %s, %v", read.SupersededBy, read.WithdrawnAt, err)
	}
	then := posture.AsOf{At: newer.RecordedAt.Add(-time.Hour), Past: true}
	read, err = s.Store.EvidenceByID(t.Context(), s.tester, then, old.Row)
	if err != nil || read.SupersededBy != "" || !read.WithdrawnAt.IsZero() {
		t.Errorf("the older page, as of before: %+v %v", read, err)
	}
	if _, err := s.Store.EvidenceByID(t.Context(), s.tester, then, newer.Row); posture.KindOf(err) != posture.NotFound {
		t.Errorf("the newer page, as of before: %v", err)
	}
}

func TestEvidenceList(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.query(t, `with l as (insert into runtime_link (runtime_id, component_id, recorded_from, recorded_by)
		select r.id, c.id, $1, 'test' from runtime r, component c returning 1) select * from l`, s.Clock.Now())
	first := s.Clock.Now()
	var ids []string
	for range 3 {
		ids = append(ids, s.record(t, s.test(s.unit, "FS-1", "r", "c", posture.Permit, posture.Pass, identityR1)).ID)
		s.later()
	}
	against := s.record(t, s.about(s.receiver, "AD-1", posture.KindConfiguration, posture.Contradicts, identityS))
	list := func(o posture.AsOf, f posture.RecordFilter) ([]string, int64) {
		t.Helper()
		rows, next, err := s.Store.Evidence(t.Context(), s.tester, o, f)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, r.ID)
		}
		return got, next
	}
	slices.Reverse(ids)
	for name, c := range map[string]struct {
		o    posture.AsOf
		f    posture.RecordFilter
		want []string
	}{
		"all":              {posture.AsOf{}, posture.RecordFilter{}, append([]string{against.ID}, ids...)},
		"of the runtime":   {posture.AsOf{}, posture.RecordFilter{Runtime: "case-assistant"}, append([]string{against.ID}, ids...)},
		"of the receiver":  {posture.AsOf{}, posture.RecordFilter{Runtime: "document-search"}, nil},
		"of a subject":     {posture.AsOf{}, posture.RecordFilter{Subject: s.unit}, ids},
		"of a statement":   {posture.AsOf{}, posture.RecordFilter{Statement: "AD-1"}, []string{against.ID}},
		"of a kind":        {posture.AsOf{}, posture.RecordFilter{Kind: "test"}, ids},
		"against":          {posture.AsOf{}, posture.RecordFilter{Side: "against"}, []string{against.ID}},
		"for":              {posture.AsOf{}, posture.RecordFilter{Side: "for"}, ids},
		"as of the first":  {posture.AsOf{At: first, Past: true}, posture.RecordFilter{}, ids[2:]},
		"seen by then":     {posture.AsOf{At: first, Known: s.Clock.Now(), Past: true}, posture.RecordFilter{}, ids[2:]},
		"on the next page": {posture.AsOf{}, posture.RecordFilter{Subject: s.unit, Before: 3, Limit: 1}, ids[1:2]},
	} {
		if got, _ := list(c.o, c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	var walked []string
	for before, n := int64(0), 0; n < 10; n++ {
		page, next := list(posture.AsOf{}, posture.RecordFilter{Before: before, Limit: 2})
		walked = append(walked, page...)
		if before = next; next == 0 {
			break
		}
	}
	if !slices.Equal(walked, append([]string{against.ID}, ids...)) {
		t.Errorf("page by page: %v", walked)
	}
	if _, _, err := s.Store.Evidence(t.Context(), s.tester, posture.AsOf{}, posture.RecordFilter{Side: "both"}); posture.KindOf(err) != posture.Invalid {
		t.Errorf("an unknown side: %v", err)
	}
}

func TestEvidenceOutsideThePortfolio(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	r := s.record(t, s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Fail, identityR1))
	a := s.tester
	a.AllPortfolios, a.Portfolios = false, []int64{999}
	if list, _, err := s.Store.Evidence(t.Context(), a, posture.AsOf{}, posture.RecordFilter{}); err != nil || len(list) != 0 {
		t.Errorf("lists %d: %v", len(list), err)
	}
	if _, err := s.Store.EvidenceByID(t.Context(), a, posture.AsOf{}, r.Row); posture.KindOf(err) != posture.NotFound {
		t.Errorf("reads it: %v", err)
	}
	if _, _, err := s.Store.RecordEvidence(t.Context(), a, s.about(s.unit, "FS-1", posture.KindStatement, posture.Supports, identityR1), nil); posture.KindOf(err) != posture.NotFound {
		t.Errorf("records on it: %v", err)
	}
	if _, _, err := s.Store.CloseEvidence(t.Context(), a, posture.ClosureRecord{
		Closure: posture.Closure{Closes: r.ID, Kind: posture.TestInvalid}, Text: "the fixture was missing",
	}); posture.KindOf(err) != posture.NotFound {
		t.Errorf("closes it: %v", err)
	}
	if rows, _, err := s.Store.Discrepancies(t.Context(), a, posture.AsOf{}, posture.DiscrepancyFilter{}); err != nil || len(rows) != 0 {
		t.Errorf("lists %d discrepancies: %v", len(rows), err)
	}
	a.Portfolios = []int64{1}
	if list, _, err := s.Store.Evidence(t.Context(), a, posture.AsOf{}, posture.RecordFilter{}); err != nil || len(list) != 1 {
		t.Errorf("in its own portfolio it lists %d: %v", len(list), err)
	}
}
