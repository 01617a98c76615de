package view

import (
	"fmt"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Overview is the start page with the library's dimensions.
type Overview struct {
	posture.Overview
	Dimensions []library.Dimension
	// Role decides which desk stands first; MayEdit offers to add a runtime,
	// MayImport to import results.
	Role      posture.Role
	MayEdit   bool
	MayImport bool
}

// NewOverview puts the facts of the start page into its model.
func NewOverview(o posture.Overview, lib *library.Library, a posture.Access) Overview {
	return Overview{
		Overview: o, Dimensions: lib.Dimensions(), Role: a.Role,
		MayEdit: a.May(posture.EditInventory), MayImport: a.May(posture.RecordEvidence),
	}
}

// columnOf lists the dimensions of one column, "execution" or "receivers".
func columnOf(all []library.Dimension, name string) []library.Dimension {
	var out []library.Dimension
	for _, d := range all {
		if d.Column == name {
			out = append(out, d)
		}
	}
	return out
}

// cell gives a runtime's cell of a dimension.
func cellOf(cells []posture.Cell, dimension string) posture.Cell {
	for _, c := range cells {
		if c.Dimension == dimension {
			return c
		}
	}
	return posture.Cell{Dimension: dimension, Outside: true}
}

func (m Overview) actions(p Page) []ui.Action {
	var out []ui.Action
	if p.AsOf.Past {
		return nil
	}
	if m.MayImport {
		out = append(out, ui.Action{Text: "Import results", Href: "/evidence/import", Icon: "upload"})
	}
	if m.MayEdit {
		out = append(out, ui.Action{Text: "Add a runtime", Href: "/runtimes/new", Icon: "plus", Go: m.Runtimes == 0})
	}
	return out
}

func (m Overview) sub() string {
	outside := ""
	if m.Outside > 0 {
		outside = fmt.Sprintf(" %s outside your portfolios.", ui.Plural(m.Outside, "runtime is", "runtimes are"))
	}
	return ui.Plural(m.Runtimes, "runtime", "runtimes") + ", judged on what was known. Two columns, never added together; no grade exists." + outside
}

// countWords say the honest counts: what is tested, and what the others are.
func (m Overview) countWords() string {
	c := m.Counts
	var parts []string
	for _, l := range []posture.Label{
		posture.LabelContradicted, posture.LabelNotProvided, posture.LabelSuspect, posture.LabelAcceptedRisk,
		posture.LabelStale, posture.LabelNotStated,
	} {
		if n := c.Of(l); n > 0 {
			parts = append(parts, ui.Count(n)+" "+l.Words())
		}
	}
	words := "of " + ui.Count(c.Required) + " required statements tested on the running configuration"
	if len(parts) > 0 {
		words += "; " + strings.Join(parts, ", ")
	}
	return words
}

func (m Overview) dueNote() string {
	if m.DueTotal == 0 {
		return "nothing"
	}
	if m.DueTotal > len(m.Due) {
		return strconv.Itoa(len(m.Due)) + " of " + ui.Count(m.DueTotal) + " things"
	}
	return ui.Plural(m.DueTotal, "thing", "things")
}

var dueKinds = map[string]string{
	"discrepancy": "Discrepancy due", "acceptance": "Acceptance lapses", "undecided": "Purpose undecided",
	"stale": "Gone stale", "unowned": "Nobody owns it",
}

func dueKind(kind string) string {
	if words, known := dueKinds[kind]; known {
		return words
	}
	return kind
}

// runsOn is a runtime's second line: what it runs on and how far it is.
func runsOn(r *posture.Runtime) string {
	parts := []string{}
	for _, f := range []posture.Facet{posture.Product, posture.Variant} {
		if v := r.Target.Identity[f]; v != "" && v != "default" {
			parts = append(parts, v)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "product not stated")
	}
	return strings.Join(append(parts, r.Stage.Words()), " · ")
}

func runtimePath(slug string) string { return "/runtimes/" + slug }

func cellPath(slug, dimension string) string { return runtimePath(slug) + "/cells/" + dimension }

func componentPath(slug string) string { return "/dependencies/" + slug }

// movePath leads to the statement that moved.
func movePath(m posture.Move) string {
	if m.Runtime.Slug != "" {
		dimension, _, _ := strings.Cut(m.Statement, "-")
		return cellPath(m.Runtime.Slug, dimension) + "#" + m.Statement
	}
	return StatementPath(m.Subject, m.Statement)
}
