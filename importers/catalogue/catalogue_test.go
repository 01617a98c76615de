package catalogue_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/importers/catalogue"
)

func date(text string, month time.Month, day int) catalogue.Date {
	return catalogue.Date{Text: text, First: time.Date(2026, month, day, 0, 0, 0, 0, time.UTC)}
}

func TestReadJoinsBothFiles(t *testing.T) {
	t.Parallel()
	c := readSmall(t)
	collected := date("2026-11-30", time.November, 30)
	if diff := cmp.Diff(collected, c.CollectedOn); diff != "" {
		t.Errorf("collected on (-want +got):\n%s", diff)
	}
	s, found := c.System("acme-box")
	if !found {
		t.Fatal("system acme-box is not found")
	}
	claims := s.Claims
	s.Claims = nil
	want := catalogue.System{
		ID: "acme-box", Name: "Acme Box (microVM tier)", Maker: "Acme / Box project", Vendor: "Acme", VendorID: "acme",
		Product: "Acme Box", Variant: "microvm", Kind: "runtime", Category: "managed_sandbox", Aliases: []string{"The Box"},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("system (-want +got):\n%s", diff)
	}
	wantClaim := catalogue.Claim{
		ID: "acme-box.process-own", Topic: "isolation", Dimension: "process", Scope: "per_session", Stated: true,
		Words: "Each session runs in its own microVM, with processors, memory and disk that " +
			"no other session shares.",
		Configuration: "microVM tier",
		Source: catalogue.Source{
			URL: "https://docs.acme.example/box/isolation", Title: "Isolation", Publisher: "Acme",
			PageDate: date("2026-09", time.September, 1), CopyDate: date("2026-10-05", time.October, 5),
		},
		SourceKind: "vendor", ReadAs: "full_page", Confidence: "high", CollectedOn: collected, Facet: "PE",
		BearsOn:      []catalogue.Bearing{{Statement: "PE-2", Polarity: "supports"}, {Statement: "ME-1", Polarity: "supports"}},
		EvidenceKind: "documentation", Contradicts: []string{"acme-box.process-shared"},
	}
	if diff := cmp.Diff(wantClaim, claims[0]); diff != "" {
		t.Errorf("claim (-want +got):\n%s", diff)
	}
	wantStatus := &catalogue.ReleaseStatus{
		Word: "beta", Label: "Beta", Normalised: "beta", Feature: "memory snapshots",
		Date: date("2026-09", time.September, 1),
	}
	if diff := cmp.Diff(wantStatus, claim(t, c, "acme-box.status-snapshots").Status); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
	if got := claim(t, c, "acme-box.gap-tools").Question; got != 33 {
		t.Errorf("question of the gap = %d, want 33", got)
	}
	if got := claim(t, c, "acme-box.process-shared").Source.Via; got != "a search summary" {
		t.Errorf("via = %q", got)
	}
}

func TestSeenOn(t *testing.T) {
	t.Parallel()
	c := readSmall(t)
	for _, tc := range []struct {
		claim string
		want  string
		basis string
	}{
		{"acme-box.process-own", "2026-10-05", catalogue.BasisCopy},
		{"acme-box.process-shared", "2026-08-01", catalogue.BasisPage},
		{"acme-box.gap-tools", "2026-01-01", catalogue.BasisPage},
		{"acme-box.snapshot-erase", "2026-11-30", catalogue.BasisCollected},
	} {
		seen, basis := claim(t, c, tc.claim).SeenOn()
		if got := seen.Format(time.DateOnly); got != tc.want || basis != tc.basis || seen.Location() != time.UTC {
			t.Errorf("%s: seen on %s by %s, want %s by %s", tc.claim, seen, basis, tc.want, tc.basis)
		}
	}
}

func TestLookUpOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	c := readSmall(t)
	if s, found := c.System("acme"); found {
		t.Errorf("System(%q) = %v", "acme", s)
	}
	for _, id := range []string{"", "acme-box", "acme-box.", "acme-box.none", "none.process-own"} {
		if k, found := c.Claim(id); found {
			t.Errorf("Claim(%q) = %v", id, k)
		}
	}
}

func TestVendorsByName(t *testing.T) {
	t.Parallel()
	catalogueText, linksText := small(t)
	linksText = swap(t, linksText, "    vendor_id: acme\n    vendor: Acme\n    product: Acme Gate\n",
		"    vendor_id: a2\n    vendor: aardvark\n    product: Acme Gate\n")
	want := []catalogue.Vendor{
		{ID: "a2", Name: "aardvark", Systems: []string{"acme-gate"}},
		{ID: "acme", Name: "Acme", Systems: []string{"acme-box"}},
	}
	if diff := cmp.Diff(want, read(t, catalogueText, linksText).Vendors()); diff != "" {
		t.Errorf("vendors (-want +got):\n%s", diff)
	}
}
