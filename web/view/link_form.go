package view

import (
	"net/url"
	"slices"
	"strconv"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Links are the receivers that the sessions of a runtime use.
type Links struct {
	Page    posture.RuntimePage
	Errors  ui.Errors
	MayEdit bool
}

// LinksPath is the address of a runtime's receivers.
func LinksPath(runtime string) string { return "/runtimes/" + url.PathEscape(runtime) + "/links" }

func linkPath(runtime string) string { return LinksPath(runtime) + "/new" }

// asked lists what is asked of a receiver that the runtime is judged by.
func (m *Links) asked(component int64) []posture.StatementRow {
	var out []posture.StatementRow
	for _, r := range m.Page.Statements {
		if r.Subject.ID == component && r.HasRequired && r.Requirement.Required() {
			out = append(out, r)
		}
	}
	return out
}

// against counts the statements of a receiver with something against them.
func (m *Links) against(component int64) int {
	n := 0
	for _, r := range m.asked(component) {
		if r.Verdict.Label.Reading() == posture.Against {
			n++
		}
	}
	return n
}

func (m *Links) askedWords(component int64) string {
	rows := m.asked(component)
	if len(rows) == 0 {
		return "nothing"
	}
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].Statement
	}
	return joinWords(ids)
}

// unlinkWords say what unlinking a receiver takes out of the runtime's cells.
func (m *Links) unlinkWords(l *posture.Link) string {
	rows := m.asked(l.Component.ID)
	if len(rows) == 0 {
		return "Nothing is asked of it, so no cell of " + m.Page.Runtime.Slug + " changes."
	}
	words := ui.Plural(len(rows), "statement leaves", "statements leave") + " the cells of " + m.Page.Runtime.Slug
	if n := m.against(l.Component.ID); n > 0 {
		words += ", " + strconv.Itoa(n) + " of them with something against it. The failure itself stays open at " + l.Component.Slug
	}
	return words + ". What is asked of " + l.Component.Slug + " stays asked."
}

// LinkForm links a receiver to a runtime: it is chosen from a list, then what
// will be asked of it is shown.
type LinkForm struct {
	Draft
	Runtime posture.Runtime
	Find    string
	Rows    []posture.ComponentRow
	// Next is the keyset of the following page, empty at the end.
	Next string
	// Chosen is the component of the second step.
	Chosen *posture.ComponentPage
}

// With gives the form as it stands after it was sent.
func (m LinkForm) With(d Draft) LinkForm {
	m.Draft = d
	return m
}

// Linkable says why the chosen component cannot be linked.
func (m *LinkForm) Linkable() error {
	switch {
	case m.Runtime.Retired:
		return &posture.Error{Kind: posture.Invalid, Text: m.Runtime.Slug + " is retired. Bring it back first."}
	case m.Chosen.Component.Retired:
		return &posture.Error{Kind: posture.Invalid, Text: m.Chosen.Component.Slug + " is retired. Bring it back first."}
	case slices.ContainsFunc(m.Chosen.Users, func(l posture.Link) bool { return l.Runtime.ID == m.Runtime.Subject }):
		return &posture.Error{Kind: posture.Invalid, Text: m.Runtime.Slug + " is linked to " + m.Chosen.Component.Slug + " already."}
	}
	return nil
}

// askedRow is a statement that the runtime's profile asks of its receivers.
type askedRow struct {
	statement library.Statement
	// now is what is asked of the receiver already; has is false for nothing.
	now posture.StatementRow
	has bool
}

// asked lists what the profile asks of receivers alone, beside what is asked of
// the chosen one already.
func (m *LinkForm) asked() []askedRow {
	profile, _ := library.Must().Profile(m.Runtime.Profile)
	var out []askedRow
	for _, id := range profile.Statements {
		s, ok := library.Must().Statement(id)
		if !ok || s.JudgedAt(posture.Unit.String()) {
			continue
		}
		row := askedRow{statement: s}
		for _, r := range m.Chosen.Statements {
			if r.Statement == id && r.HasRequired {
				row.now, row.has = r, true
			}
		}
		out = append(out, row)
	}
	return out
}

// rungWords says what the profile asks for.
func (m *LinkForm) rungWords() string {
	profile, _ := library.Must().Profile(m.Runtime.Profile)
	return profile.Rung
}

func (r askedRow) wantedWords(intents map[string]posture.Intent) string {
	if intents[r.statement.Dimension].Purpose == posture.PurposeIntended {
		return "intended"
	}
	return "undecided"
}

func (m *LinkForm) pages() ui.Pages {
	q := url.Values{}
	if m.Find != "" {
		q.Set("find", m.Find)
	}
	pages := ui.Pages{Words: ui.Plural(len(m.Rows), "component", "components")}
	if m.Next != "" {
		q.Set("after", m.Next)
		pages.Next = address(linkPath(m.Runtime.Slug), q)
		pages.Words += "; there are more"
	}
	return pages
}
