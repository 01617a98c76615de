package catalogue_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/importers/catalogue"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	c := readSmall(t)
	s, _ := c.System("acme-box")
	own := catalogue.Draft{
		ClaimID: "acme-box.process-own", Statement: "PE-2", Kind: "documentation", Polarity: "supports",
		Vendor: "Acme", VendorID: "acme", Product: "Acme Box", Variant: "microvm",
		ObservedAt: time.Date(2026, time.October, 5, 0, 0, 0, 0, time.UTC), ObservedBasis: catalogue.BasisCopy,
		SourceKind: "vendor", URL: "https://docs.acme.example/box/isolation", Title: "Isolation", Publisher: "Acme",
		Words: "Each session runs in its own microVM, with processors, memory and disk that " +
			"no other session shares.",
		Configuration: "microVM tier",
	}
	memory := own
	memory.Statement = "ME-1"
	collected := time.Date(2026, time.November, 30, 0, 0, 0, 0, time.UTC)
	want := []catalogue.Draft{own, memory, {
		ClaimID: "acme-box.process-shared", Statement: "PE-2", Kind: "statement", Polarity: "contradicts",
		Vendor: "Acme", VendorID: "acme", Product: "Acme Box", Variant: "microvm",
		ObservedAt: collected, ObservedBasis: catalogue.BasisCollected, SourceKind: "third_party",
		URL: "https://blog.other.example/box", Title: "[box]", Publisher: "Other",
		Words: "On small machines two sessions share one kernel: the tier decides.",
	}, {
		ClaimID: "acme-box.snapshot-erase", Statement: "LF-3", Kind: "documentation", Polarity: "supports",
		Vendor: "Acme", VendorID: "acme", Product: "Acme Box", Variant: "microvm",
		ObservedAt: collected, ObservedBasis: catalogue.BasisCollected, SourceKind: "vendor",
		URL: "https://docs.acme.example/box/snapshots", Title: "Snapshots", Publisher: "Acme",
		Words: "A memory snapshot is erased seven days after it was taken.",
		PreGA: true,
	}}
	if diff := cmp.Diff(want, s.Evidence()); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

func TestPreGA(t *testing.T) {
	t.Parallel()
	day := func(d int) catalogue.Date { return date("", time.May, d) }
	status := func(feature, normalised string, on catalogue.Date) catalogue.Claim {
		return catalogue.Claim{
			Stated: true, Topic: "release_status", EvidenceKind: "none",
			Status: &catalogue.ReleaseStatus{Feature: feature, Normalised: normalised, Date: on},
		}
	}
	silent := status("Box", "beta", day(1))
	silent.Stated = false
	copied := status("Box", "ga", catalogue.Date{})
	copied.Source.CopyDate = day(2)
	var undated catalogue.Date
	for _, tc := range []struct {
		name     string
		statuses []catalogue.Claim
		kind     string
		words    string
		setting  string
		want     bool
	}{
		{name: "no status"},
		{name: "product in preview", statuses: []catalogue.Claim{status("Box", "public_preview", day(1))}, want: true},
		{name: "product generally available", statuses: []catalogue.Claim{status("Box", "ga", day(1))}},
		{name: "product deprecated", statuses: []catalogue.Claim{status("Box", "deprecated", day(1))}},
		{name: "stage unknown", statuses: []catalogue.Claim{status("Box", "unknown", day(1))}},
		{name: "production preview", statuses: []catalogue.Claim{status("Box", "preview_supported", day(1))}, want: true},
		{name: "a statement keeps its window", kind: "statement", statuses: []catalogue.Claim{status("Box", "beta", day(1))}},
		{name: "silence is no status", statuses: []catalogue.Claim{silent}},
		{name: "another part", statuses: []catalogue.Claim{status("memory snapshots", "beta", day(1))}},
		{
			name: "part named in the words", words: "Every managed memory snapshot is kept.",
			statuses: []catalogue.Claim{status("Managed Memory Snapshots", "beta", day(1))}, want: true,
		},
		{
			name: "part named in the configuration", setting: "Windows, release 2",
			statuses: []catalogue.Claim{status("Windows support", "experimental", day(1))}, want: true,
		},
		{
			name: "part of a word is no name", words: "Outboxes are kept.",
			statuses: []catalogue.Claim{status("outbox memory", "beta", day(1))},
		},
		{
			name:     "the product as a whole, with a remark",
			statuses: []catalogue.Claim{status("Box as a whole, on some pages", "beta", day(1))}, want: true,
		},
		{
			name:     "a later release ends a preview",
			statuses: []catalogue.Claim{status("Box", "beta", day(1)), status("Box", "ga", day(2))},
		},
		{
			name:     "an earlier release does not",
			statuses: []catalogue.Claim{status("Box", "beta", day(2)), status("Box", "ga", day(1))}, want: true,
		},
		{
			name:     "nor does one without a date",
			statuses: []catalogue.Claim{status("Box", "beta", day(1)), status("Box", "ga", undated)}, want: true,
		},
		{name: "the copy dates a status", statuses: []catalogue.Claim{status("Box", "beta", day(1)), copied}},
		{
			name:     "between equals pre-GA wins",
			statuses: []catalogue.Claim{status("Box", "ga", undated), status("Box", "beta", undated)}, want: true,
		},
		{
			name:     "in either order",
			statuses: []catalogue.Claim{status("Box", "beta", undated), status("Box", "ga", undated)}, want: true,
		},
		{name: "qualifiers alone name nothing", statuses: []catalogue.Claim{status("tool support", "beta", day(1))}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			kind := tc.kind
			if kind == "" {
				kind = "documentation"
			}
			s := catalogue.System{Product: "Acme Box (hosted)", Claims: append([]catalogue.Claim{{
				Stated: true, EvidenceKind: kind, Words: tc.words, Configuration: tc.setting,
				BearsOn: []catalogue.Bearing{{Statement: "PE-1", Polarity: "supports"}},
			}}, tc.statuses...)}
			got := s.Evidence()
			if len(got) != 1 || got[0].PreGA != tc.want {
				t.Errorf("evidence = %+v, want one draft with PreGA %t", got, tc.want)
			}
		})
	}
}

func TestNoEvidenceWithoutWords(t *testing.T) {
	t.Parallel()
	bearing := []catalogue.Bearing{{Statement: "PE-1", Polarity: "supports"}}
	s := catalogue.System{Claims: []catalogue.Claim{
		{Stated: false, EvidenceKind: "documentation", BearsOn: bearing},
		{Stated: true, EvidenceKind: "none", BearsOn: bearing},
		{Stated: true, EvidenceKind: "documentation"},
	}}
	if got := s.Evidence(); len(got) != 0 {
		t.Errorf("evidence = %+v, want none", got)
	}
}
