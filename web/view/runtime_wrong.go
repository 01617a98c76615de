package view

import (
	"cmp"
	"slices"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// wrongRow is one required statement that something stands against, with the
// two people it is for.
type wrongRow struct {
	Row       *posture.StatementRow
	Owner     string
	RiskOwner string
}

// wrong lists what stands against a runtime, the worst first.
func (m Runtime) wrong() []wrongRow {
	var out []wrongRow
	for i := range m.Statements {
		s := &m.Statements[i]
		if s.Verdict.Label.Reading() != posture.Against || !s.HasRequired || !s.Requirement.Required() {
			continue
		}
		w := wrongRow{Row: s, Owner: cmp.Or(s.Requirement.Owner, m.Runtime.Owner), RiskOwner: m.Runtime.RiskOwner}
		if s.Subject.Kind == posture.Receiver {
			w.Owner = m.receiverOwner(s.Subject.Slug)
		}
		out = append(out, w)
	}
	slices.SortStableFunc(out, func(a, b wrongRow) int { return cmp.Compare(a.Row.Verdict.Label, b.Row.Verdict.Label) })
	return out
}

func (m Runtime) receiverOwner(slug string) string {
	for _, l := range m.Links {
		if l.Component.Slug == slug {
			return l.Owner
		}
	}
	return ""
}

func (w wrongRow) href(m Runtime) string {
	dimension, _, _ := strings.Cut(w.Row.Statement, "-")
	return cellPath(m.Runtime.Slug, dimension) + "#" + w.Row.Statement
}

// statementVerb is a statement after its "must not".
func statementVerb(lib *library.Library, id string) string {
	return strings.TrimPrefix(statementText(lib, id), "must not ")
}

func (m Runtime) profileWords() string {
	name := m.Runtime.Profile
	if p, ok := m.Library.Profile(name); ok {
		name = p.Name
	}
	ruledOut := m.Counts.Execution.Of(posture.LabelNotApplicable) + m.Counts.Receivers.Of(posture.LabelNotApplicable)
	words := "Profile “" + name + "”."
	if ruledOut > 0 {
		words += " " + ui.Plural(ruledOut, "statement is", "statements are") + " ruled not applicable."
	}
	return words
}

func (m Runtime) linkActions(p Page) []ui.Action {
	if p.AsOf.Past || !m.Access.May(posture.EditInventory) {
		return nil
	}
	return []ui.Action{{Text: "Link a receiver", Href: m.path() + "/links"}}
}

func (m Runtime) sides(p Page) []ui.Tab {
	seg := func(text, side string) ui.Tab {
		return ui.Tab{Text: text, Href: p.With("side", side), Current: m.Side == side}
	}
	return []ui.Tab{seg("All", ""), seg("Against", "against"), seg("For", "for")}
}

// runWords shorten a test's run id: an imported one begins with its import.
func runWords(run string) string {
	if number, _, imported := strings.Cut(run, ":"); imported {
		return "run " + number
	}
	if strings.HasPrefix(run, "run ") {
		return run
	}
	return "run " + run
}

var componentKindWords = map[string]string{
	"model_provider": "model provider", "tool_server": "tool server", "egress": "network egress",
}

func kindOfComponent(kind string) string {
	if words, known := componentKindWords[kind]; known {
		return words
	}
	return kind
}
