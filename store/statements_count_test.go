package store_test

import (
	"context"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// The statements of each read are few and stay so, whatever is read
// (DESIGN.md §10).
func TestReadsAreFewStatements(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.Store.LoadCatalogue(t.Context(), storetest.As(posture.Admin), catalogue()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		s.record(t, s.test(s.receiver, "AD-1", "r", name, posture.Deny, posture.Fail, identityS))
	}
	run := s.importIt(t, importFile("few.xml", identityR1, s.result("FS-1", "XS-01", posture.Deny, posture.Fail)))
	now, open := posture.AsOf{}, true
	past := posture.AsOf{At: s.Clock.Now(), Past: true}
	s.later()
	for name, c := range map[string]struct {
		most int
		read func(ctx context.Context, o posture.AsOf) error
	}{
		"evidence list": {1, func(ctx context.Context, o posture.AsOf) error {
			_, _, err := s.Store.Evidence(ctx, s.tester, o, posture.RecordFilter{Runtime: "case-assistant"})
			return err
		}},
		"evidence": {1, func(ctx context.Context, o posture.AsOf) error {
			_, err := s.Store.EvidenceByID(ctx, s.tester, o, 1)
			return err
		}},
		"discrepancies": {4, func(ctx context.Context, o posture.AsOf) error {
			_, _, err := s.Store.Discrepancies(ctx, s.tester, o, posture.DiscrepancyFilter{Open: &open})
			return err
		}},
		"discrepancy": {4, func(ctx context.Context, o posture.AsOf) error {
			_, err := s.Store.Discrepancy(ctx, s.tester, o, 1)
			return err
		}},
		"runs": {1, func(ctx context.Context, o posture.AsOf) error {
			_, _, err := s.Store.Runs(ctx, s.tester, o, 0, 10)
			return err
		}},
		"run": {1, func(ctx context.Context, _ posture.AsOf) error {
			_, err := s.Store.Run(ctx, s.tester, run.Run)
			return err
		}},
		"results": {1, func(ctx context.Context, _ posture.AsOf) error {
			_, err := s.Store.RunResults(ctx, s.tester, run.Run, 0, 10)
			return err
		}},
		"catalogue": {1, func(ctx context.Context, o posture.AsOf) error {
			_, err := s.Store.CatalogueSystems(ctx, s.tester, o, "", "")
			return err
		}},
		"system": {3, func(ctx context.Context, o posture.AsOf) error {
			_, err := s.Store.CatalogueSystem(ctx, s.tester, o, "v-p-microvm")
			return err
		}},
		"candidates": {14, func(ctx context.Context, _ posture.AsOf) error {
			_, _, err := s.Store.ClosureCandidates(ctx, s.closer, 1)
			return err
		}},
	} {
		for _, o := range []posture.AsOf{now, past} {
			s.Counter.Reset()
			if err := c.read(t.Context(), o); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if n := len(s.Counter.Statements()); n > c.most {
				t.Errorf("%s takes %d statements, at most %d: %q", name, n, c.most, s.Counter.Statements())
			}
		}
	}
}
