package ui

import (
	"strings"

	"demarc/store/posture"
)

// knownFacets lists the facets beyond vendor, product and variant that are
// known.
func knownFacets(id *posture.Identity) []posture.Facet {
	var known []posture.Facet
	for _, f := range posture.Facets()[posture.Version:] {
		if id[f] != "" {
			known = append(known, f)
		}
	}
	return known
}

func lower(s string) string { return strings.ToLower(s) }
