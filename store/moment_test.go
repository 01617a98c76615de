package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

func TestStatementsForAMoment(t *testing.T) {
	t.Parallel()
	const text = "select a from noun_version v join fact f on f.id = v.id and in_force(v) where known(f) and unknown(f) and v.x in_forced(v)"
	for name, c := range map[string]struct {
		m    moment
		want string
	}{
		"live": {moment{live: true}, "select a from noun_version v join fact f on f.id = v.id and v.recorded_to = 'infinity' where true and unknown(f) and v.x in_forced(v)"},
		"past": {moment{}, "select a from noun_version v join fact f on f.id = v.id and (v.recorded_from <= @known and v.recorded_to > @known) where f.recorded_at <= @known and unknown(f) and v.x in_forced(v)"},
	} {
		if diff := cmp.Diff(c.want, c.m.sql(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestMoments(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	work := &tx{now: now}
	for name, c := range map[string]struct {
		o           posture.AsOf
		live, apart bool
	}{
		"now":                          {posture.AsOf{}, true, false},
		"a day before":                 {posture.AsOf{At: now.Add(-posture.Day), Past: true}, false, false},
		"a day before, known now":      {posture.AsOf{At: now.Add(-posture.Day), Known: now, Past: true}, true, true},
		"now, known a day before":      {posture.AsOf{Known: now.Add(-posture.Day)}, false, true},
		"a day before, known by then":  {posture.AsOf{At: now.Add(-posture.Day), Known: now.Add(-posture.Day)}, false, false},
		"the transaction's own moment": {posture.AsOf{At: now}, true, false},
	} {
		m := work.moment(c.o)
		if m.live != c.live || m.apart() != c.apart {
			t.Errorf("%s: live %t, apart %t", name, m.live, m.apart())
		}
	}
}

func TestWordsThatSayNothing(t *testing.T) {
	t.Parallel()
	for text, bare := range map[string]bool{
		"": false, "sandboxed": true, "Isolated.": true, "SECURE!": true, "It is fully sandboxed and isolated": true,
		"The agent runs in a secure sandbox": true, "a session": false, "isolated from other customers": false,
		"sandboxed by gVisor": false, "sandbox-2": true,
	} {
		if got := saysNothing(text); got != bare {
			t.Errorf("%q says nothing: %t", text, got)
		}
	}
}

func TestDecisiveFacets(t *testing.T) {
	t.Parallel()
	before := posture.Identity{posture.Image: "a", posture.Config: "b", posture.Model: "c"}
	after := posture.Identity{posture.Image: "x", posture.Config: "y", posture.Model: "c"}
	changed := func(facets ...posture.Facet) func(posture.Identity) bool {
		return func(id posture.Identity) bool {
			for _, f := range facets {
				if id[f] == before[f] {
					return false
				}
			}
			return true
		}
	}
	for name, c := range map[string]struct {
		moves func(posture.Identity) bool
		want  []posture.Facet
	}{
		"one":      {changed(posture.Config), []posture.Facet{posture.Config}},
		"any":      {changed(), []posture.Facet{posture.Image, posture.Config}},
		"together": {changed(posture.Image, posture.Config), []posture.Facet{posture.Image, posture.Config}},
	} {
		if diff := cmp.Diff(c.want, decisive(&before, &after, c.moves)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := movedWords(&before, &after); got != "image and config moved" {
		t.Errorf("words %q", got)
	}
}
