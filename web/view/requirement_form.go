package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// RequirementsForm lists every statement that may be asked of a subject, with
// what is asked, and changes it for the statements chosen.
type RequirementsForm struct {
	Draft
	Subject posture.SubjectRef
	MayEdit bool
	rows    []requirementRow
}

// requirementRow is a statement with what is asked on it, if anything.
type requirementRow struct {
	statement library.Statement
	row       posture.StatementRow
	// judged says that something is recorded on it, asked or not.
	judged bool
}

var requirementsLabels = map[string]string{
	"statement": "Statements", "rung": "Evidence asked for", "wanted": "Boundary", "owner": "Owner",
}

// NewRequirementsForm puts what is asked of a subject beside every statement
// that may be asked of it.
func NewRequirementsForm(subject posture.SubjectRef, asked []posture.StatementRow, mayEdit bool) RequirementsForm {
	m := RequirementsForm{Draft: Draft{Typed: url.Values{}, labels: requirementsLabels}, Subject: subject, MayEdit: mayEdit}
	for _, s := range library.Must().Statements() {
		if !s.JudgedAt(subject.Kind.String()) {
			continue
		}
		row := requirementRow{statement: s, row: posture.StatementRow{Subject: subject, Statement: s.ID}}
		for _, r := range asked {
			if r.Subject.ID == subject.ID && r.Statement == s.ID {
				row.row, row.judged = r, true
			}
		}
		m.rows = append(m.rows, row)
	}
	return m
}

// ChooseAsked begins with every statement chosen that is asked.
func (m RequirementsForm) ChooseAsked() RequirementsForm {
	for i := range m.rows {
		if m.rows[i].row.HasRequired {
			m.Typed.Add("statement", m.rows[i].statement.ID)
		}
	}
	return m
}

// With gives the form as it stands after it was sent.
func (m RequirementsForm) With(d Draft) RequirementsForm {
	d.labels = requirementsLabels
	m.Draft = d
	return m
}

// Path is the address of the list.
func (m RequirementsForm) Path() string { return RequirementsPath(m.Subject) }

// RequirementsPath is the address of all that is asked of a subject.
func RequirementsPath(subject posture.SubjectRef) string {
	return subjectHref(subject) + "/requirements"
}

// Requirement gives what is asked on a statement of the list, with the rung
// that a new one begins with; known is false for any other statement.
func (m *RequirementsForm) Requirement(statement string) (r posture.Requirement, known bool) {
	for i := range m.rows {
		if m.rows[i].statement.ID != statement {
			continue
		}
		r = m.rows[i].row.Requirement
		if !m.rows[i].row.HasRequired {
			r = posture.Requirement{Subject: m.Subject.ID, Statement: statement, Rung: posture.Tested}
		}
		return r, true
	}
	return r, false
}

// counts say how many statements there are and how many are asked.
func (m RequirementsForm) counts() string {
	asked := 0
	for i := range m.rows {
		if m.rows[i].row.HasRequired && m.rows[i].row.Requirement.Required() {
			asked++
		}
	}
	return strconv.Itoa(asked) + " of " + ui.Plural(len(m.rows), "statement is", "statements are") + " asked"
}

// cols are the heads of the list; who may not change it has no last one.
func (m RequirementsForm) cols() []ui.Col {
	cols := []ui.Col{{Text: "Statement"}, {Text: "Boundary"}, {Text: "Asked for"}, {Text: "Verdict"}, {Text: "Owner"}, {Text: "Mechanism"}, {Text: "Paths"}}
	if m.MayEdit {
		cols = append(cols, ui.Col{Text: "Change"})
	}
	return cols
}

func (m RequirementsForm) chosen(statement string) bool {
	return slices.Contains(m.Typed["statement"], statement)
}

func (m RequirementsForm) rungs() ui.Field {
	return m.choice("rung", "", withEmpty("as it is", optionsOf(RungNames())))
}

func (m RequirementsForm) wantedField() ui.Field {
	return m.choice("wanted", "That a boundary is not intended is said on its own page, with the reason.", withEmpty("as it is", optionsOf([]string{"intended", "undecided"})))
}

// reason gives the reason where somebody gave one: what every statement of a
// profile begins with is not repeated line by line.
func (r requirementRow) reason() string {
	for _, p := range library.Must().Profiles() {
		if r.row.Requirement.Reason == p.Reason {
			return ""
		}
	}
	return r.row.Requirement.Reason
}

// requirementGroup is a dimension with its statements.
type requirementGroup struct {
	dimension library.Dimension
	rows      []requirementRow
}

func (m RequirementsForm) groups() []requirementGroup {
	var out []requirementGroup
	for _, d := range library.Must().Dimensions() {
		g := requirementGroup{dimension: d}
		for _, r := range m.rows {
			if r.statement.Dimension == d.Code {
				g.rows = append(g.rows, r)
			}
		}
		if len(g.rows) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (g requirementGroup) column() string {
	if g.dimension.Column == "execution" {
		return "execution isolation"
	}
	return "authorisation at the receiver"
}

func (r requirementRow) version() string { return strconv.Itoa(r.row.Requirement.Version) }

func (r requirementRow) path() string {
	return RequirementsPath(r.row.Subject) + "/" + r.statement.ID
}

// changed lists what the second step changes.
func (m RequirementsForm) changed() []ui.Pair {
	pairs := []ui.Pair{{Term: "Statements", Text: joinWords(m.Typed["statement"])}}
	if rung := m.text("rung"); rung != "" {
		pairs = append(pairs, ui.Pair{Term: "Evidence asked for", Text: rung})
	}
	if wanted := m.text("wanted"); wanted != "" {
		pairs = append(pairs, ui.Pair{Term: "Boundary", Text: wordsOf(wanted)})
	}
	if m.text("set_owner") != "" {
		pairs = append(pairs, ui.Pair{Term: "Owner", Text: firstOf(m.text("owner"), "nobody")})
	}
	return pairs
}

// RungNames lists the rungs that can be asked for, in rising order.
func RungNames() []string {
	return []string{"claimed", "documented", "attested", "configured", "tested"}
}

// RequirementForm asks what is wanted on one statement of one subject.
type RequirementForm struct {
	Draft
	Item posture.CellItem
}

var requirementLabels = map[string]string{
	"wanted": "Boundary", "reason": "Reason", "mechanism": "Mechanism", "configuration": "Supported configuration", "rung": "Evidence asked for",
	"owner": "Owner", "paths": "Known enforcement paths",
}

// NewRequirementForm begins with what is asked now.
func NewRequirementForm(item posture.CellItem) RequirementForm {
	r := item.Row.Requirement
	if !item.Row.HasRequired {
		r = posture.Requirement{Wanted: posture.Intended, Rung: posture.Tested}
	}
	return RequirementForm{Draft: Draft{Typed: requirementTyped(&r), labels: requirementLabels}, Item: item}
}

// With gives the form as it stands after it was sent.
func (m RequirementForm) With(d Draft) RequirementForm {
	d.labels = requirementLabels
	m.Draft = d
	return m
}

func requirementTyped(r *posture.Requirement) url.Values {
	return url.Values{
		"wanted": {r.Wanted.String()}, "reason": {r.Reason}, "mechanism": {r.Mechanism}, "configuration": {r.Configuration},
		"rung": {r.Rung.String()}, "owner": {r.Owner}, "paths": {strings.Join(r.Paths, "\n")}, "version": {strconv.Itoa(r.Version)},
	}
}

func (m RequirementForm) action() string {
	return RequirementsPath(m.Item.Row.Subject) + "/" + m.Item.Row.Statement
}

func (m RequirementForm) wantedField() ui.Field {
	return m.choice("wanted", "", []ui.Option{
		{Value: "intended", Text: "intended"},
		{Value: "not_intended", Text: "not intended", Hint: "the reason is needed; the statement leaves the cells"},
		{Value: "undecided", Text: "undecided", Hint: "counts as asked until somebody decides"},
	})
}

func (m RequirementForm) rungs() ui.Field {
	return m.choice("rung", "The evidence at which it is met.", optionsOf(RungNames()))
}

func (m RequirementForm) paths() ui.Field {
	f := m.field("paths", "One case a line, such as SD-01 and SD-05. Tested then needs a pair on every one of them.")
	f.Mono = true
	return f
}

func (m RequirementForm) typedFacts() []ui.Pair {
	var pairs []ui.Pair
	for _, name := range []string{"wanted", "reason", "mechanism", "configuration", "rung", "owner", "paths"} {
		text := strings.Join(strings.Fields(m.text(name)), " ")
		if name == "wanted" {
			text = wordsOf(text)
		}
		if text == "" {
			text = map[string]string{"owner": "nobody", "mechanism": "nobody has said", "paths": "none named: one pair is enough"}[name]
		}
		if text != "" {
			pairs = append(pairs, ui.Pair{Term: requirementLabels[name], Text: text})
		}
	}
	return pairs
}

// MergeRequirement puts three versions of a requirement side by side.
func MergeRequirement(subject posture.SubjectRef, began, now posture.Requirement, mine url.Values) Merge {
	field := func(name string, words func(string) string) MergeField {
		return MergeField{Name: name, Label: requirementLabels[name], Words: words}
	}
	path := RequirementsPath(subject) + "/" + now.Statement
	return Merge{
		Title: "What is asked on " + now.Statement, Action: path, Back: path, Who: now.By, Version: strconv.Itoa(now.Version),
		Fields: []MergeField{
			field("wanted", wordsOf), field("reason", nil), field("mechanism", nil), field("configuration", nil), field("rung", wordsOf),
			field("owner", nil), field("paths", nil),
		},
		Began: requirementTyped(&began), Now: requirementTyped(&now), Mine: mine, Done: "See what these choices do",
	}
}
