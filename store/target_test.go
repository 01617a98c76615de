package store_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

// tested makes FS-1 of the unit tested and PE-2 configured, on what runs now.
func (s *scene) tested(t *testing.T) {
	t.Helper()
	s.require(t, s.unit, "PE-2", "configured")
	s.record(t, s.test(s.unit, "FS-1", "run 1", "XS-01", posture.Permit, posture.Pass, identityR1))
	s.record(t, s.test(s.unit, "FS-1", "run 1", "XS-01", posture.Deny, posture.Pass, identityR1))
	s.record(t, s.about(s.unit, "PE-2", posture.KindConfiguration, posture.Supports, identityR1))
	s.Clock.Add(posture.Day)
}

func TestRecordTargetSaysWhatBecameStale(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	next := posture.Target{Identity: with(identityR1, posture.Image, "sha256:d2"), Reason: "nightly build"}
	made, moves, err := s.Store.RecordTarget(t.Context(), s.tester, s.unit, next)
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 1 || moves[0].Statement != "FS-1" || moves[0].From != "tested" || moves[0].To != "stale" ||
		!strings.Contains(moves[0].Because, "image moved") {
		t.Errorf("moved %+v", moves)
	}
	again, moves, err := s.Store.RecordTarget(t.Context(), s.tester, s.unit, next)
	if err != nil || len(moves) != 0 || again.ID != made.ID {
		t.Errorf("the same identity again makes %+v and moves %v, %v", again, moves, err)
	}
	list, err := s.Store.Targets(t.Context(), s.tester, s.unit, posture.AsOf{})
	if err != nil || len(list) != 2 || list[0].ID != made.ID || list[0].Reason != "nightly build" || list[1].Identity != identityR1 {
		t.Errorf("targets %+v, %v", list, err)
	}
	past, err := s.Store.Targets(t.Context(), s.tester, s.unit, posture.AsOf{At: s.Clock.Now().Add(-1), Past: true})
	if err != nil || len(past) != 1 {
		t.Errorf("a day before there were %d, %v", len(past), err)
	}
	page, err := s.Store.RuntimePage(t.Context(), s.tester, posture.AsOf{}, "case-assistant")
	if err != nil || page.Previous.Identity != identityR1 || page.Runtime.Target.Identity != next.Identity {
		t.Errorf("the page knows %+v before %+v, %v", page.Previous, page.Runtime.Target, err)
	}
}

func TestPreviewTargetNamesTheFacetsThatMatter(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	next := identityR1
	next[posture.Image], next[posture.Config], next[posture.Tools] = "sha256:d2", "sha256:000d", "sha256:7001"
	list, err := s.Store.PreviewTarget(t.Context(), s.tester, s.unit, posture.Target{Identity: next})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]posture.Facet{}
	for _, l := range list {
		if l.After.Label != posture.LabelStale || l.Before.Label == posture.LabelStale || l.Subject.Slug != "case-assistant" {
			t.Errorf("%s goes from %s to %s on %s", l.Statement, l.Before.Label, l.After.Label, l.Subject.Slug)
		}
		got[l.Statement] = l.Moved
	}
	want := map[string][]posture.Facet{"FS-1": {posture.Image, posture.Config}, "PE-2": {posture.Config}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facets (-want +got):\n%s", diff)
	}
	if got := s.labels(t); got[0] != "tested" {
		t.Errorf("a preview left FS-1 %s", got[0])
	}
	if n := s.query(t, `select count(*) from target where subject_id = $1`, s.unit); n != 1 {
		t.Errorf("a preview left %d targets", n)
	}
	if _, err := s.Store.PreviewTarget(t.Context(), s.tester, 999, posture.Target{Identity: next}); posture.KindOf(err) != posture.NotFound {
		t.Errorf("of no subject: %v", err)
	}
}

func TestTargetsRefuse(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for field, id := range map[string]posture.Identity{
		"vendor": {}, "region": with(identityR1, posture.Region, posture.RegionAny), "image": with(identityR1, posture.Image, strings.Repeat("a", 2001)),
	} {
		_, _, err := s.Store.RecordTarget(t.Context(), s.tester, s.unit, posture.Target{Identity: id})
		if diff := cmp.Diff([]string{field}, faults(err)); diff != "" {
			t.Errorf("fields (-want +got):\n%s", diff)
		}
	}
	if _, _, err := s.Store.RecordTarget(t.Context(), s.tester, 999, posture.Target{Identity: identityR1}); posture.KindOf(err) != posture.NotFound {
		t.Errorf("of no subject: %v", err)
	}
}
