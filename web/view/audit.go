package view

import (
	"net/url"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Audit is one page of the audit log.
type Audit struct {
	Rows []posture.AuditRow
	// Names of people by their actor, such as "person:12".
	Names map[string]string
	// Typed is the filter as it stands in the address.
	Typed url.Values
	Ops   []string
	// Older is the keyset of the next page, empty on the last.
	Older  string
	Errors ui.Errors
}

func (a Audit) field(name, label string) ui.Field {
	return ui.Field{Name: name, Label: label, Value: a.Typed.Get(name), Error: a.Errors.Of(name), Autocomplete: "off"}
}

func (a Audit) opField() ui.Field {
	f := a.field("op", "What")
	f.Options = append(f.Options, ui.Option{Text: "any"})
	for _, op := range a.Ops {
		f.Options = append(f.Options, ui.Option{Value: op, Text: op})
	}
	return f
}

// filtered says whether any filter is on.
func (a Audit) filtered() bool {
	for _, name := range []string{"actor", "table", "op", "request", "from", "to"} {
		if a.Typed.Get(name) != "" {
			return true
		}
	}
	return false
}

func (a Audit) pages(p Page) ui.Pages {
	pages := ui.Pages{Words: ui.Plural(len(a.Rows), "row", "rows") + ", newest first"}
	if a.Older != "" {
		pages.Next = p.With("before", a.Older)
	}
	if a.Typed.Get("before") != "" {
		pages.First = p.With("before", "")
	}
	return pages
}
