package view

import (
	"fmt"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Runtime is one runtime with the tab that is open.
type Runtime struct {
	posture.RuntimePage
	Library *library.Library
	Access  posture.Access
	Tab     string
	// Show narrows the statements: "not-met", "stale", "unowned" or empty.
	Show string
	// Side narrows the evidence: "against", "for" or empty.
	Side string
}

// NewRuntime puts the facts of a runtime into its model.
func NewRuntime(page posture.RuntimePage, lib *library.Library, a posture.Access, tab string) Runtime {
	return Runtime{RuntimePage: page, Library: lib, Access: a, Tab: tab}
}

func (m Runtime) path() string { return runtimePath(m.Runtime.Slug) }

// idents are the identity strip: stage and owners around the target's facets.
func (m Runtime) idents() []ui.Ident {
	stage := m.Runtime.Stage.Words()
	if m.Runtime.MultiTenant {
		stage += ", multi-tenant"
	}
	items := append([]ui.Ident{{Name: "Stage", Value: stage}}, ui.TargetIdents(m.Runtime.Target, m.Previous)...)
	return append(items, ui.Ident{Name: "Owner", Value: m.Runtime.Owner}, ui.Ident{Name: "Risk owner", Value: m.Runtime.RiskOwner})
}

func (m Runtime) actions(p Page) []ui.Action {
	if p.AsOf.Past || m.Runtime.Retired {
		return nil
	}
	var out []ui.Action
	if m.Access.May(posture.EditInventory) {
		out = append(
			out,
			ui.Action{Text: "Edit", Href: m.path() + "/edit"},
			ui.Action{Text: "Record a target", Href: m.path() + "/target"},
			ui.Action{Text: "Requirements", Href: m.path() + "/requirements"},
			ui.Action{Text: "Receivers", Href: m.path() + "/links"},
		)
	}
	if m.Access.May(posture.RecordEvidence) {
		out = append(out, ui.Action{Text: "Import results", Href: queryOf("/evidence/import", "runtime", m.Runtime.Slug), Icon: "upload"})
	}
	if m.Access.May(posture.RecordClaims) {
		out = append(out, ui.Action{Text: "Add evidence", Href: queryOf("/evidence/new", "subject", strconv.FormatInt(m.Runtime.Subject, 10)), Go: true})
	}
	return out
}

func (m Runtime) tabs(p Page) []ui.Tab {
	tab := func(text, path string, n int) ui.Tab {
		t := ui.Tab{Text: text, Href: p.Link(m.path() + path), Current: m.Tab == text}
		if n > 0 {
			t.Count, t.HasCount = n, true
		}
		return t
	}
	return []ui.Tab{tab("Boundaries", "", len(m.Statements)), tab("Evidence", "/evidence", m.Evidence), tab("History", "/history", 0)}
}

// moved names the facets that differ from the target before, and the
// statements that are stale since.
func (m Runtime) driftWords() (strong, text string) {
	if m.Previous.ID == 0 {
		return "", ""
	}
	moved, _ := posture.Differing(&m.Runtime.Target.Identity, &m.Previous.Identity, posture.Of(posture.Facets()...))
	var lapsed []string
	for i := range m.Statements {
		s := &m.Statements[i]
		if s.Subject.Kind == posture.Unit && s.Verdict.State == posture.LabelStale {
			lapsed = append(lapsed, s.Statement)
		}
	}
	if len(moved) == 0 {
		return "", ""
	}
	strong = fmt.Sprintf("The target moved on %s: %s.", ui.Day(m.Runtime.Target.RecordedAt), posture.FacetWords(moved))
	if m.Runtime.Target.Reason != "" {
		text = ui.Sentence(m.Runtime.Target.Reason) + ". "
	}
	switch len(lapsed) {
	case 0:
		text += "Evidence counts only on the exact target it was taken on; what was shown on the one before is in the history."
	default:
		text += "Stale until tested or read again: " + strings.Join(lapsed, ", ") + "."
	}
	return strong, text
}

// shows says whether a statement passes the narrowing.
func (m Runtime) shows(s *posture.StatementRow) bool {
	switch m.Show {
	case "not-met":
		return !s.Verdict.Met
	case "stale":
		return s.Verdict.State == posture.LabelStale
	case "unowned":
		return s.Requirement.Owner == ""
	}
	return true
}

func (m Runtime) count(show string) int {
	n := 0
	narrowed := m
	narrowed.Show = show
	for i := range m.Statements {
		if narrowed.shows(&m.Statements[i]) {
			n++
		}
	}
	return n
}

func (m Runtime) segs(p Page) []ui.Tab {
	seg := func(text, show string) ui.Tab {
		return ui.Tab{Text: text, Count: m.count(show), HasCount: true, Href: p.With("show", show), Current: m.Show == show}
	}
	return []ui.Tab{seg("All", ""), seg("Not met", "not-met"), seg("Stale", "stale"), seg("Nobody’s", "unowned")}
}

// dimensions lists the dimensions of a column that have a statement to show.
func (m Runtime) dimensions(column string) []library.Dimension {
	var out []library.Dimension
	for _, d := range columnOf(m.Library.Dimensions(), column) {
		if len(m.rows(d.Code)) > 0 || m.Show == "" {
			out = append(out, d)
		}
	}
	return out
}

// rows lists the statements of a dimension that are shown.
func (m Runtime) rows(dimension string) []*posture.StatementRow {
	var out []*posture.StatementRow
	for i := range m.Statements {
		s := &m.Statements[i]
		if strings.HasPrefix(s.Statement, dimension+"-") && m.shows(s) {
			out = append(out, s)
		}
	}
	return out
}

func (m Runtime) testedNote(c posture.StatementCounts, what string) string {
	return what + " · " + ui.Count(c.Tested()) + " of " + ui.Count(c.Required) + " tested"
}

// intentWords say what is wanted of a dimension.
func intentWords(in posture.Intent) string {
	switch in.Purpose {
	case posture.PurposeIntended:
		return "keeps " + in.Text
	case posture.PurposeNotIntended:
		return "not intended, because " + in.Text
	default:
		return "purpose undecided: nobody has said kept from whom, by what"
	}
}

// statementText gives what a statement says the subject must not do.
func statementText(lib *library.Library, id string) string {
	if s, ok := lib.Statement(id); ok {
		return s.Text
	}
	return "own statement " + id
}

// mechanism says what enforces the boundary.
func mechanism(s *posture.StatementRow) string {
	switch {
	case s.HasRequired && s.Requirement.Wanted == posture.NotIntended:
		return "not intended, because " + s.Requirement.Reason
	case !s.HasRequired:
		return "not required by the profile"
	case s.Requirement.Mechanism == "":
		return "nobody has said what enforces it"
	}
	return s.Requirement.Mechanism
}

// pathsWords say how many of the known enforcement paths are tested.
func pathsWords(v *posture.Verdict) string {
	if v.PathsKnown == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s tested", v.PathsTested, ui.Plural(v.PathsKnown, "path", "paths"))
}
