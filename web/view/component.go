package view

import (
	"strconv"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Components is the list of shared dependencies.
type Components struct {
	Rows    []posture.ComponentRow
	Next    string
	Find    string
	MayEdit bool
}

// Component is one component with the tab that is open.
type Component struct {
	posture.ComponentPage
	Library *library.Library
	Access  posture.Access
	Tab     string
}

// NewComponent puts the facts of a component into its model.
func NewComponent(page posture.ComponentPage, lib *library.Library, a posture.Access, tab string) Component {
	return Component{ComponentPage: page, Library: lib, Access: a, Tab: tab}
}

func (m Component) path() string { return componentPath(m.Component.Slug) }

func (m Component) idents() []ui.Ident {
	kind := kindOfComponent(m.Component.Kind)
	if m.Component.Shared {
		kind += ", shared"
	}
	items := append([]ui.Ident{{Name: "Kind", Value: kind}}, ui.TargetIdents(m.Component.Target, m.Previous)...)
	return append(items, ui.Ident{Name: "Owner", Value: m.Component.Owner}, ui.Ident{Name: "Risk owner", Value: m.Component.RiskOwner})
}

func (m Component) actions(p Page) []ui.Action {
	if p.AsOf.Past || m.Component.Retired {
		return nil
	}
	var out []ui.Action
	if m.Access.May(posture.EditInventory) {
		out = append(
			out,
			ui.Action{Text: "Edit", Href: m.path() + "/edit"},
			ui.Action{Text: "Record a target", Href: m.path() + "/target"},
			ui.Action{Text: "Requirements", Href: m.path() + "/requirements"},
		)
	}
	if m.Access.May(posture.RecordClaims) {
		out = append(out, ui.Action{Text: "Add evidence", Href: queryOf("/evidence/new", "subject", strconv.FormatInt(m.Component.Subject, 10)), Go: true})
	}
	return out
}

func (m Component) tabs(p Page) []ui.Tab {
	tab := func(text, path string, n int) ui.Tab {
		return ui.Tab{Text: text, Href: p.Link(m.path() + path), Current: m.Tab == text, Count: n, HasCount: n > 0}
	}
	return []ui.Tab{tab("Boundaries", "", len(m.Statements)), tab("Evidence", "/evidence", m.Evidence), tab("History", "/history", 0)}
}

func (m Component) drift() (strong, text string) {
	if m.Previous.ID == 0 {
		return "", ""
	}
	moved, _ := posture.Differing(&m.Component.Target.Identity, &m.Previous.Identity, posture.Of(posture.Facets()...))
	if len(moved) == 0 {
		return "", ""
	}
	strong = "The target moved on " + ui.Day(m.Component.Target.RecordedAt) + ": " + posture.FacetWords(moved) + "."
	return strong, ui.Sentence(m.Component.Target.Reason)
}

func (m Component) note() string {
	return "judged here, for every runtime that uses it · " + ui.Count(m.Counts.Tested()) + " of " + ui.Count(m.Counts.Required) + " tested"
}

// Statement is one statement of a component, explained.
type Statement struct {
	Component posture.Component
	Item      Item
}

// NewStatement explains a statement judged at a receiver.
func NewStatement(c posture.Component, item posture.CellItem, lib *library.Library, a posture.Access, at posture.AsOf) Statement {
	return Statement{Component: c, Item: newItem(item, c.Owner, c.RiskOwner, lib, a, at)}
}
