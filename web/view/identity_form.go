package view

import (
	"slices"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// facetHints say what each facet of a target holds (model.md §2.4).
var facetHints = map[posture.Facet]string{
	posture.Variant:     "the option that decides the mechanism: compute type, tier, runtime class",
	posture.Version:     "the release that runs",
	posture.Image:       "the digest, such as sha256:…; or the provider’s own immutable id",
	posture.Policy:      "the hash of policy text and data, with its algorithm",
	posture.Config:      "the hash of the exported settings, secrets left out",
	posture.Region:      "where it runs",
	posture.Tools:       "the hash of the tool manifest, where there are tools",
	posture.Model:       "the model and its serving version, where there is one",
	posture.Environment: "production, staging, a test account",
}

// offered is a facet that the catalogue knows values of.
func (d Draft) offered(facet posture.Facet, systems []posture.CatalogueRow) ui.Field {
	f := d.facetField(facet, facetHints[facet])
	var values []string
	for i := range systems {
		row := &systems[i]
		value := map[posture.Facet]string{posture.Vendor: row.Vendor, posture.Product: row.Product, posture.Variant: row.Variant}[facet]
		if value != "" && value != "unspecified" && !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	for _, v := range values {
		f.Options = append(f.Options, ui.Option{Value: v})
	}
	return f
}
