package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

func (s *scene) asked(t *testing.T, subject int64, statement string) posture.Requirement {
	t.Helper()
	r, err := s.Store.Requirement(t.Context(), s.tester, subject, statement)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRequireInBulkIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	fs, pe, ad := s.asked(t, s.unit, "FS-1"), s.asked(t, s.unit, "PE-2"), s.asked(t, s.receiver, "AD-1")
	fs.Owner, fs.Paths, fs.Mechanism = "Platform Runtime", []string{" XS-01", "XS-02", "XS-01", ""}, "hypervisor"
	pe.Rung = posture.Tested
	ad.Wanted, ad.Reason = posture.NotIntended, "the index holds public pages"
	moves, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{fs, pe, ad})
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 1 || moves[0].Statement != "FS-1" || moves[0].To != "not_stated" {
		t.Errorf("moved %+v", moves)
	}
	got := s.asked(t, s.unit, "FS-1")
	if diff := cmp.Diff([]string{"XS-01", "XS-02"}, got.Paths); diff != "" || got.Version != 2 || got.Mechanism != "hypervisor" {
		t.Errorf("FS-1 is asked as %+v (-want +got):\n%s", got, diff)
	}
	if first, err := s.Store.RequirementVersion(t.Context(), s.tester, s.unit, "FS-1", 1); err != nil || first.Owner != "" || first.Version != 1 {
		t.Errorf("version 1 reads %+v, %v", first, err)
	}
	// One of two is out of date: neither is saved.
	now := s.asked(t, s.unit, "PE-2")
	now.Owner = "Platform Runtime"
	if _, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{now, fs}); posture.KindOf(err) != posture.Conflicting {
		t.Fatalf("an old version is answered by %v", err)
	}
	if after := s.asked(t, s.unit, "PE-2"); after.Version != now.Version || after.Owner != "" {
		t.Errorf("the other was saved: %+v", after)
	}
	page, err := s.Store.ComponentPage(t.Context(), s.tester, posture.AsOf{}, "document-search")
	if err != nil || page.Counts.Required != 0 || len(page.Statements) != 1 {
		t.Errorf("what is not intended counts as required: %+v, %v", page.Counts, err)
	}
}

func TestTheFirstRequirementIsVersionOne(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	r := posture.Requirement{Subject: s.unit, Statement: "NW-1", Wanted: posture.Intended, Rung: posture.Tested}
	moves, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{r})
	if err != nil || len(moves) != 0 {
		t.Fatalf("moved %v, %v", moves, err)
	}
	if got := s.asked(t, s.unit, "NW-1"); got.Version != 1 || got.By != "test:T. Arroyo" {
		t.Errorf("asked %+v", got)
	}
	if _, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{r}); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("a second first: %v", err)
	}
}

func TestPreviewRequireKeepsNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	fs := s.asked(t, s.unit, "FS-1")
	fs.Paths = []string{"XS-01", "XS-02"}
	preview, err := s.Store.PreviewRequire(t.Context(), s.tester, []posture.Requirement{fs})
	if err != nil || len(preview.Moves) != 1 || preview.Moves[0].To != "not_stated" {
		t.Fatalf("preview %+v, %v", preview, err)
	}
	if got := s.asked(t, s.unit, "FS-1"); got.Version != 1 {
		t.Errorf("a preview left version %d", got.Version)
	}
	fs.Paths = []string{"XS-01"}
	if preview, err = s.Store.PreviewRequire(t.Context(), s.tester, []posture.Requirement{fs}); err != nil || len(preview.Notes) != 1 {
		t.Errorf("preview of no move %+v, %v", preview, err)
	}
}

func TestRequirementsRefuse(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	good := posture.Requirement{Subject: s.unit, Statement: "NW-1", Wanted: posture.Intended, Rung: posture.Tested}
	change := func(do func(*posture.Requirement)) posture.Requirement {
		r := good
		do(&r)
		return r
	}
	for name, c := range map[string]struct {
		list []posture.Requirement
		want []string
	}{
		"none":           {nil, []string{"statement"}},
		"unknown":        {[]posture.Requirement{change(func(r *posture.Requirement) { r.Statement = "XX-1" })}, []string{"statement"}},
		"of a receiver":  {[]posture.Requirement{change(func(r *posture.Requirement) { r.Statement = "AD-1" })}, []string{"statement"}},
		"of a unit":      {[]posture.Requirement{change(func(r *posture.Requirement) { r.Subject = s.receiver })}, []string{"statement"}},
		"no reason":      {[]posture.Requirement{change(func(r *posture.Requirement) { r.Wanted = posture.NotIntended })}, []string{"reason"}},
		"no rung":        {[]posture.Requirement{change(func(r *posture.Requirement) { r.Rung = posture.NotStated })}, []string{"rung"}},
		"bare mechanism": {[]posture.Requirement{change(func(r *posture.Requirement) { r.Mechanism = "sandbox" })}, []string{"mechanism"}},
		"twice":          {[]posture.Requirement{good, good}, []string{"NW-1.statement"}},
		"two faults in two": {
			[]posture.Requirement{
				change(func(r *posture.Requirement) { r.Rung, r.Mechanism = posture.NotStated, "isolated" }),
				change(func(r *posture.Requirement) { r.Statement, r.Wanted = "NW-2", posture.NotIntended }),
			},
			[]string{"NW-1.mechanism", "NW-1.rung", "NW-2.reason"},
		},
	} {
		_, err := s.Store.Require(t.Context(), s.tester, c.list)
		if diff := cmp.Diff(c.want, faults(err)); diff != "" || posture.KindOf(err) != posture.Invalid {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	_, err := s.Store.Require(t.Context(), s.tester, []posture.Requirement{change(func(r *posture.Requirement) { r.Subject = 999 })})
	if posture.KindOf(err) != posture.NotFound {
		t.Errorf("of no subject: %v", err)
	}
	if _, err := s.Store.Requirement(t.Context(), s.tester, 999, "NW-1"); posture.KindOf(err) != posture.NotFound {
		t.Errorf("read of no subject: %v", err)
	}
}
