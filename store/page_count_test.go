package store_test

import (
	"testing"
	"time"

	"demarc/store/posture"
)

// TestPagesAreFewStatements: however many runtimes, receivers, statements and
// records a page shows, it sends a fixed number of statements (DESIGN.md §10).
func TestPagesAreFewStatements(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.tested(t)
	s.worked(t)
	for _, slug := range []string{"a", "b", "c"} {
		if _, err := s.Store.CreateRuntime(t.Context(), s.tester, posture.Runtime{Slug: slug, Profile: "everything"}); err != nil {
			t.Fatal(err)
		}
		s.component(t, "for-"+slug, "Owner", "", true)
		for _, component := range []string{"for-" + slug, "document-search"} {
			if err := s.Store.Link(t.Context(), s.tester, slug, component); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.later()
	limited := s.tester
	limited.AllPortfolios, limited.Portfolios, limited.Person = false, []int64{1}, 7
	for name, c := range map[string]struct {
		most int
		read func(a posture.Access, o posture.AsOf) error
	}{
		"overview": {9, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.Overview(t.Context(), a, o, "", 10)
			return err
		}},
		"runtimes": {6, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.Runtimes(t.Context(), a, o, posture.RuntimeFilter{})
			return err
		}},
		"runtimes by reading": {7, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.Runtimes(t.Context(), a, o, posture.RuntimeFilter{Reading: "against", Find: "a"})
			return err
		}},
		"components": {4, func(a posture.Access, o posture.AsOf) error {
			_, _, err := s.Store.Components(t.Context(), a, o, "", "", 0)
			return err
		}},
		"runtime": {10, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.RuntimePage(t.Context(), a, o, "case-assistant")
			return err
		}},
		"component": {10, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.ComponentPage(t.Context(), a, o, "document-search")
			return err
		}},
		"cell": {10, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.CellPage(t.Context(), a, o, "case-assistant", "AD")
			return err
		}},
		"contrasted cell": {10, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.CellPage(t.Context(), a, o, "case-assistant", "FS")
			return err
		}},
		"statement": {9, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.StatementPage(t.Context(), a, o, s.receiver, "AD-1")
			return err
		}},
		"history": {2, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.History(t.Context(), a, o, s.receiver, time.Time{}, 0)
			return err
		}},
		"targets": {2, func(a posture.Access, o posture.AsOf) error {
			_, err := s.Store.Targets(t.Context(), a, s.unit, o)
			return err
		}},
		"preview of a target": {9, func(a posture.Access, _ posture.AsOf) error {
			_, err := s.Store.PreviewTarget(t.Context(), a, s.unit, posture.Target{Identity: with(identityR1, posture.Image, "x")})
			return err
		}},
	} {
		for _, o := range []posture.AsOf{{}, {At: s.Clock.Now().Add(-36 * time.Hour), Past: true}} {
			for _, a := range []posture.Access{s.tester, limited} {
				s.Counter.Reset()
				if err := c.read(a, o); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if n := len(s.Counter.Statements()); n > c.most {
					t.Errorf("%s takes %d statements, at most %d: %q", name, n, c.most, s.Counter.Statements())
				}
			}
		}
	}
}
