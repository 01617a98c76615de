package view

import (
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Vendors is the list of the catalogue's systems.
type Vendors struct {
	// Rows are sorted by vendor and name.
	Rows []posture.CatalogueRow
	// Find and Kind are the filters, empty where they are off.
	Find   string
	Kind   string
	Errors ui.Errors
}

// SystemKinds are the kinds of a catalogue system.
func SystemKinds() []string {
	return []string{"runtime", "component", "primitive", "guidance", "announced"}
}

// vendorGroup is a vendor with its systems.
type vendorGroup struct {
	vendor string
	rows   []posture.CatalogueRow
}

func (m *Vendors) groups() []vendorGroup {
	var groups []vendorGroup
	for _, r := range m.Rows {
		if n := len(groups); n == 0 || groups[n-1].vendor != r.Vendor {
			groups = append(groups, vendorGroup{vendor: r.Vendor})
		}
		last := &groups[len(groups)-1]
		last.rows = append(last.rows, r)
	}
	return groups
}

func (m *Vendors) filtered() bool { return m.Find != "" || m.Kind != "" }

func (m *Vendors) kindField() ui.Field {
	f := ui.Field{Name: "kind", Label: "Kind", Value: m.Kind, Error: m.Errors.Of("kind"), Options: []ui.Option{{Text: "any"}}}
	for _, k := range SystemKinds() {
		f.Options = append(f.Options, ui.Option{Value: k, Text: k})
	}
	return f
}

// sub says what the list holds, in its own numbers.
func (m *Vendors) sub() string {
	stated, unstated := 0, 0
	for _, r := range m.Rows {
		stated, unstated = stated+r.Stated, unstated+r.Unstated
	}
	return ui.Plural(len(m.Rows), "system", "systems") + " of " + ui.Plural(len(m.groups()), "vendor", "vendors") + ". " +
		ui.Plural(stated+unstated, "claim", "claims") + " read on their pages = " + ui.Count(stated) + " stated + " +
		ui.Count(unstated) + " not stated. A claim is what a page said on its date, neither a test nor a rating."
}

func systemPath(id string) string { return "/vendors/" + id }

// variantWords names a variant; most systems have one only.
func variantWords(variant string) string {
	switch variant {
	case "default":
		return "one variant"
	case "unspecified":
		return "several variants, the claims do not settle on one"
	default:
		return "variant " + variant
	}
}

func wordsOf(stored string) string { return strings.ReplaceAll(stored, "_", " ") }
