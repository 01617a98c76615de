package store_test

import (
	"fmt"
	"sync"
	"testing"

	"demarc/store/posture"
)

// TestWritersAtOnce: of writers who start from the same version one is kept and
// the others are told, and no two versions of anything hold at one instant,
// although the clock stands still.
func TestWritersAtOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	r, err := s.Store.CreateRuntime(t.Context(), s.tester, posture.Runtime{Slug: "a", Profile: "everything"})
	if err != nil {
		t.Fatal(err)
	}
	asked := s.asked(t, r.Subject, "FS-1")
	const writers, rounds = 4, 5
	kept := make([]map[string]int, writers)
	var group sync.WaitGroup
	for w := range writers {
		kept[w] = map[string]int{}
		group.Go(func() {
			for i := range rounds {
				mine, own := r, asked
				mine.Version, mine.Name = i+1, fmt.Sprintf("by %d", w)
				own.Version, own.Owner = i+1, mine.Name
				_, changed := s.Store.ChangeRuntime(t.Context(), s.tester, mine)
				_, required := s.Store.Require(t.Context(), s.tester, []posture.Requirement{own})
				_, _, recorded := s.Store.RecordTarget(t.Context(), s.tester, r.Subject, posture.Target{Identity: with(identityR1, posture.Version, mine.Name)})
				for name, err := range map[string]error{fmt.Sprint("runtime", i): changed, fmt.Sprint("requirement", i): required} {
					switch {
					case err == nil:
						kept[w][name]++
					case posture.KindOf(err) != posture.Conflicting:
						t.Errorf("%s by %d: %v", name, w, err)
					}
				}
				if recorded != nil {
					t.Errorf("target by %d: %v", w, recorded)
				}
			}
		})
	}
	group.Wait()
	for name := range map[string]bool{"runtime0": true, "requirement0": true} {
		total := 0
		for w := range writers {
			total += kept[w][name]
		}
		if total != 1 {
			t.Errorf("%d writers were kept as the second version of the %s", total, name)
		}
	}
	for _, c := range []struct{ relation, key string }{
		{"runtime_version", "runtime_id"}, {"requirement_version", "subject_id, statement"}, {"verdict", "subject_id, statement"},
	} {
		n := s.query(t, fmt.Sprintf(`
			select count(*) from (
				select recorded_from, recorded_to, lead(recorded_from) over (partition by %s order by recorded_from, recorded_to) next from %s) v
			where recorded_to <= recorded_from or next is distinct from nullif(recorded_to, 'infinity')`, c.key, c.relation))
		if n != 0 {
			t.Errorf("%d intervals of %s overlap, are empty or leave a gap", n, c.relation)
		}
	}
}
