package view

import (
	"net/url"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// EvidenceList is one page of records.
type EvidenceList struct {
	Filter posture.RecordFilter
	// Typed is the query as it stands.
	Typed url.Values
	// Subject is the one filtered by; zero for all.
	Subject posture.SubjectRef
	Rows    []posture.Record
	// Next is the address of the older records, empty at the end.
	Next   string
	Errors ui.Errors
	// MayRecord and MayImport say what the reader may do today.
	MayRecord bool
	MayImport bool
}

func (m EvidenceList) filtered() bool {
	f := m.Filter
	return f.Subject != 0 || f.Runtime != "" || f.Statement != "" || f.Kind != "" || f.Side != ""
}

// sub says what the page lists.
func (m EvidenceList) sub() string {
	return "Every record, newest first: what vendors say, what was read and what was tried. A record is never deleted, only withdrawn."
}

func (m EvidenceList) fieldOf(name, label string, options []ui.Option) ui.Field {
	return ui.Field{Name: name, Label: label, Value: m.Typed.Get(name), Options: options, Error: m.Errors.Of(name)}
}

func (m EvidenceList) statements() []ui.Option {
	options := []ui.Option{{Text: "any"}}
	for _, id := range StatementIDs() {
		options = append(options, ui.Option{Value: id, Text: id})
	}
	return options
}

// words say what is shown.
func (m EvidenceList) words() string {
	words := ui.Plural(len(m.Rows), "record", "records")
	if m.Next != "" {
		words += "; there are older ones"
	}
	return words
}

// newAddress is where a record is made, on what the list is filtered by.
func (m EvidenceList) newAddress() string {
	if m.Filter.Subject == 0 {
		return "/evidence/new"
	}
	return onStatement("/evidence/new", m.Filter.Subject, m.Filter.Statement)
}

// StatementIDs lists the ids of the library's statements.
func StatementIDs() []string {
	var ids []string
	for _, s := range library.Must().Statements() {
		ids = append(ids, s.ID)
	}
	return ids
}

// KindNames lists the stored names of kinds.
func KindNames(kinds []posture.Kind) []string {
	names := make([]string, 0, len(kinds))
	for _, k := range kinds {
		names = append(names, k.String())
	}
	return names
}

// first leads back to the newest records; empty on that page.
func (m EvidenceList) first(p Page) string {
	if m.Filter.Before == 0 {
		return ""
	}
	return p.With("before", "")
}

// short gives the beginning of a text that would fill a table.
func short(s string) string {
	const most = 160
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
