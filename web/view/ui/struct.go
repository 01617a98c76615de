package ui

import (
	"time"

	"demarc/store/posture"
)

func widths(cols []Col) bool {
	for _, c := range cols {
		if c.Class != "" {
			return true
		}
	}
	return false
}

func sortIcon(sort string) string {
	switch sort {
	case "ascending":
		return "up"
	case "descending":
		return "down"
	default:
		return "sort"
	}
}

var facetWords = map[posture.Facet]string{
	posture.Vendor: "Vendor", posture.Product: "Product", posture.Variant: "Variant",
	posture.Version: "Version", posture.Image: "Image", posture.Policy: "Policy",
	posture.Config: "Config", posture.Region: "Region", posture.Tools: "Tools",
	posture.Model: "Model", posture.Environment: "Environment",
}

// FacetWords names a facet as a page writes it.
func FacetWords(f posture.Facet) string { return facetWords[f] }

// IsDigest says whether a facet holds digests.
func IsDigest(f posture.Facet) bool {
	return f == posture.Image || f == posture.Policy || f == posture.Config || f == posture.Tools
}

// TargetIdents gives the identity strip of a target: vendor, product and
// variant in one, then every other facet that is known or that evidence needs.
// Facets that differ from previous are marked as moved on the day the target
// was recorded; a zero previous marks none.
func TargetIdents(target, previous posture.Target) []Ident {
	id := &target.Identity
	moved := func(facets ...posture.Facet) time.Time {
		for _, f := range facets {
			if previous.ID != 0 && id[f] != previous.Identity[f] {
				return target.RecordedAt
			}
		}
		return time.Time{}
	}
	out := []Ident{{
		Name:  "Runs on",
		Value: joined(" · ", id[posture.Vendor], id[posture.Product], id[posture.Variant]),
		Moved: moved(posture.Vendor, posture.Product, posture.Variant),
	}}
	for _, f := range posture.Facets()[posture.Version:] {
		optional := f == posture.Tools || f == posture.Model || f == posture.Environment
		if id[f] == "" && optional && moved(f).IsZero() {
			continue
		}
		it := Ident{Name: FacetWords(f), Moved: moved(f)}
		if IsDigest(f) {
			it.Digest = id[f]
		} else {
			it.Value = id[f]
		}
		out = append(out, it)
	}
	return out
}

func joined(sep string, parts ...string) string {
	out := ""
	for _, p := range parts {
		switch {
		case p == "":
		case out == "":
			out = p
		default:
			out += sep + p
		}
	}
	return out
}
