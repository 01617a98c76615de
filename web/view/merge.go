package view

import (
	"net/url"
	"strings"

	"demarc/web/view/ui"
)

// Merge is a form that was sent from a version no longer in force.
type Merge struct {
	Title string
	// Action is where the choices are sent, Back the form as it is now.
	Action string
	Back   string
	// Who saved the version in force.
	Who     string
	Version string
	// Fields are the form's, in order, with their labels.
	Fields []MergeField
	// Began is the version that the editor started from, Now the one in force,
	// Mine what was typed.
	Began url.Values
	Now   url.Values
	Mine  url.Values
	// Done is the button's words.
	Done string
}

// MergeField is a field that two people may have changed.
type MergeField struct {
	Name  string
	Label string
	// Words writes a value as a page does; nil shows it as it is.
	Words func(string) string
}

func (m Merge) rows() []ui.MergeRow {
	rows := make([]ui.MergeRow, 0, len(m.Fields))
	for _, f := range m.Fields {
		words := f.Words
		if words == nil {
			words = func(s string) string { return s }
		}
		value := func(v url.Values) string { return oneBreak(v.Get(f.Name)) }
		rows = append(rows, ui.MergeRow{
			Field: f.Name, Label: f.Label,
			Began: words(value(m.Began)), Theirs: words(value(m.Now)), Mine: words(value(m.Mine)),
			TheirsValue: value(m.Now), MineValue: value(m.Mine),
		})
	}
	return rows
}

// oneBreak writes a text as the store keeps it: a browser sends line breaks of
// two characters, which are no change.
func oneBreak(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
