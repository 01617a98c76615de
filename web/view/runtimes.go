package view

import (
	"net/url"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Runtimes is the list of runtimes with its filters.
type Runtimes struct {
	List    posture.RuntimeList
	Filter  posture.RuntimeFilter
	Typed   url.Values
	Errors  ui.Errors
	MayEdit bool
}

// totalBound is how far the store counts a list.
const totalBound = 10000

// ReadingNames lists the reading words by which a list is filtered.
func ReadingNames() []string {
	return []string{posture.Against.String(), posture.NothingYet.String(), posture.SupportedSoFar.String()}
}

func (m Runtimes) filtered() bool {
	f := m.Filter
	return f.Find != "" || f.Stage != "" || f.Owner != "" || f.Reading != "" || f.Retired
}

func (m Runtimes) sub() string {
	if m.Filter.Retired {
		return "Retired runtimes. They leave the lists and keep their history."
	}
	return "What is run or considered. The two columns are counted apart and never added."
}

func (m Runtimes) field(name, label string, options []ui.Option) ui.Field {
	return ui.Field{Name: name, Label: label, Value: m.Typed.Get(name), Options: options, Error: m.Errors.Of(name)}
}

func stageOptions() []ui.Option {
	options := []ui.Option{{Text: "any stage"}}
	for _, s := range posture.Stages() {
		options = append(options, ui.Option{Value: s.String(), Text: s.Words()})
	}
	return options
}

func readingOptions() []ui.Option {
	options := []ui.Option{{Text: "anything"}}
	for _, r := range ReadingNames() {
		options = append(options, ui.Option{Value: r, Text: r})
	}
	return options
}

func (m Runtimes) words() string {
	return ui.Plural(len(m.List.Rows), "runtime", "runtimes") + " of " + ui.Bounded(m.List.Total, totalBound)
}

// columnWords say what stands in one column of a runtime or component.
func columnWords(c posture.ColumnCounts) string {
	if c.Required == 0 {
		return "nothing required"
	}
	words := ui.Count(c.Tested) + " of " + ui.Count(c.Required) + " tested"
	if c.Against > 0 {
		words += ", " + ui.Count(c.Against) + " against"
	}
	if c.Nothing > 0 {
		words += ", " + ui.Count(c.Nothing) + " nothing yet"
	}
	return words
}
