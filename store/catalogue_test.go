package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func catalogue() []posture.CatalogueSystem {
	day := func(d int) time.Time { return time.Date(2026, 10, d, 0, 0, 0, 0, time.UTC) }
	return []posture.CatalogueSystem{
		{
			CatalogueRow: posture.CatalogueRow{ID: "v-p-microvm", Name: "P on microVMs", VendorID: "v", Vendor: "V", Product: "P", Variant: "microVM", Kind: "runtime", Category: "cloud"},
			Aliases:      []string{"Pea"},
			Claims: []posture.CatalogueClaim{
				{
					ID: "v-p-microvm.isolation", System: "v-p-microvm", Topic: "isolation", Dimension: "process", Facet: "PE", Scope: "session", Stated: true,
					Words: "A dedicated microVM for each session.", Configuration: "default", URL: "https://v.example/p", Title: "Sessions", Publisher: "V",
					PageDate: "2026-09", SeenOn: day(12), SeenBasis: "copy_date", SourceKind: "vendor", ReadAs: "full_page", Confidence: "high",
					EvidenceKind: "documentation", BearsOn: []posture.Bearing{{Statement: "PE-2", Polarity: posture.Supports}, {Statement: "FS-1", Polarity: posture.Supports}},
					Contradicts: []string{"v-p-instances.shared"},
				},
				{ID: "v-p-microvm.status", System: "v-p-microvm", Topic: "release_status", Stated: true, Words: "Preview.", SeenOn: day(3), Status: "private_preview", StatusLabel: "Private preview", StatusFeature: "P"},
				{ID: "v-p-microvm.status-2", System: "v-p-microvm", Topic: "release_status", Stated: true, Words: "Generally available.", SeenOn: day(20), Status: "ga", StatusLabel: "GA", StatusFeature: "P"},
				{ID: "v-p-microvm.deletion", System: "v-p-microvm", Topic: "retention", Words: "The pages do not say when storage is deleted.", SeenOn: day(12), Question: 27},
			},
		},
		{CatalogueRow: posture.CatalogueRow{ID: "w-q", Name: "Q", VendorID: "w", Vendor: "W", Product: "Q", Variant: "default", Kind: "component", Category: "library"}},
	}
}

func TestLoadCatalogue(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	admin := storetest.As(posture.Admin)
	load := func(systems []posture.CatalogueSystem, want int) {
		t.Helper()
		if n, err := s.Store.LoadCatalogue(t.Context(), admin, systems); err != nil || n != want {
			t.Fatalf("%d changed, want %d: %v", n, want, err)
		}
	}
	load(catalogue(), 6)
	audited := s.query(t, `select count(*) from audit`)
	load(catalogue(), 0)
	if n := s.query(t, `select count(*) from audit`); n != audited {
		t.Errorf("the same data again wrote %d audit rows", n-audited)
	}
	loaded := s.Clock.Now()

	got, err := s.Store.CatalogueSystem(t.Context(), s.tester, posture.AsOf{}, "v-p-microvm")
	want := catalogue()[0]
	want.Stated, want.Unstated, want.Status, want.Label, want.SeenOn = 3, 1, "ga", "GA", time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC)
	want.CatalogueRow.Runtimes, want.Runtimes = 1, []posture.SubjectRef{{ID: s.unit, Slug: "case-assistant", Name: "case-assistant"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}

	s.later()
	next := catalogue()[:1]
	next[0].Claims = next[0].Claims[:3]
	next[0].Claims[0].Words = "A dedicated microVM for each session, reused after it."
	load(next, 3) // a claim reworded, a claim gone, a system gone
	got, err = s.Store.CatalogueSystem(t.Context(), s.tester, posture.AsOf{}, "v-p-microvm")
	if err != nil || got.Claims[0].Words != next[0].Claims[0].Words || len(got.Claims) != 3 {
		t.Errorf("now %+v %v", got.Claims, err)
	}
	got, err = s.Store.CatalogueSystem(t.Context(), s.tester, posture.AsOf{At: loaded, Past: true}, "v-p-microvm")
	if err != nil || got.Claims[0].Words != want.Claims[0].Words || len(got.Claims) != 4 {
		t.Errorf("as of then %+v %v", got.Claims, err)
	}
	if _, err := s.Store.CatalogueSystem(t.Context(), s.tester, posture.AsOf{}, "w-q"); posture.KindOf(err) != posture.NotFound {
		t.Errorf("a system that is gone: %v", err)
	}
	if n := s.query(t, `select count(*) from catalogue_claim where id = 'v-p-microvm.status'`); n != 1 {
		t.Errorf("an unchanged claim has %d versions", n)
	}
	load(catalogue(), 3)
}

func TestCatalogueSystems(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.Store.LoadCatalogue(t.Context(), storetest.As(posture.Admin), catalogue()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		find, kind string
		want       []string
	}{
		{"", "", []string{"v-p-microvm", "w-q"}},
		{"pea", "", []string{"v-p-microvm"}},
		{"P", "", []string{"v-p-microvm"}},
		{"", "component", []string{"w-q"}},
		{"100%", "", nil},
		{"", "primitive", nil},
	} {
		list, err := s.Store.CatalogueSystems(t.Context(), storetest.As(posture.Viewer), posture.AsOf{}, c.find, c.kind)
		var got []string
		for _, r := range list {
			got = append(got, r.ID)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("find %q, kind %q: %v %v", c.find, c.kind, got, err)
		}
	}
	if list, err := s.Store.CatalogueSystems(t.Context(), s.tester, posture.AsOf{At: storetest.Start, Past: true}, "", ""); err != nil || len(list) != 0 {
		t.Errorf("before it was loaded: %d %v", len(list), err)
	}
	scoped := storetest.As(posture.Admin)
	scoped.AllPortfolios = false
	for name, a := range map[string]posture.Access{"a viewer": storetest.As(posture.Viewer), "one portfolio": scoped} {
		if _, err := s.Store.LoadCatalogue(t.Context(), a, catalogue()); posture.KindOf(err) != posture.Forbidden {
			t.Errorf("loaded by %s: %v", name, err)
		}
	}
}
