package view

import (
	"net/url"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Discrepancies is one page of one kind of discrepancy.
type Discrepancies struct {
	Rows []posture.Discrepancy
	// Missing says that the other kind is shown: evidence missing or stale.
	Missing bool
	// State is "open", "closed" or "all"; empty is open.
	State string
	// Subjects are those to filter by.
	Subjects []posture.SubjectRef
	// Typed is the filter as it stands in the address.
	Typed url.Values
	// Older is the keyset of the next page, empty on the last.
	Older  string
	Errors ui.Errors
}

func discrepancyName(id int64) string { return "D-" + strconv.FormatInt(id, 10) }

func discrepancyPath(id int64) string { return "/discrepancies/" + strconv.FormatInt(id, 10) }

// discrepancyState writes a state as a page does.
func discrepancyState(d *posture.Discrepancy) string {
	if d.State == "deviation_approved" {
		return "deviation approved"
	}
	return wordsOf(d.State)
}

// longTitle is from how many characters on a title is cut, at a word.
const longTitle = 140

// discrepancyTitle is what was seen, else the statement it differs from.
func discrepancyTitle(d *posture.Discrepancy) string {
	if d.Seen == "" {
		return d.Statement + " at " + d.Subject.Name
	}
	title := d.Seen
	if word, _, _ := strings.Cut(title, " "); !strings.ContainsAny(word, "_=./:") {
		title = ui.Sentence(title)
	}
	cut := []rune(title)
	if len(cut) <= longTitle {
		return title
	}
	title = string(cut[:longTitle])
	if space := strings.LastIndexByte(title, ' '); space > longTitle/2 {
		title = title[:space]
	}
	return title + " …"
}

func (m *Discrepancies) tabs(p Page) []ui.Tab {
	failed := ui.Tab{Text: "Boundary failed", Href: p.Link("/discrepancies"), Current: !m.Missing}
	if !p.AsOf.Past {
		failed.Count, failed.HasCount = p.Nav.Discrepancies, true
	}
	return []ui.Tab{
		failed,
		{Text: "Evidence missing or stale", Href: p.Link("/discrepancies?kind=" + posture.EvidenceMissing), Current: m.Missing},
	}
}

func (m *Discrepancies) states(p Page) []ui.Tab {
	return []ui.Tab{
		{Text: "Open", Href: p.With("state", ""), Current: m.State == "" || m.State == "open"},
		{Text: "Closed", Href: p.With("state", "closed"), Current: m.State == "closed"},
		{Text: "All", Href: p.With("state", "all"), Current: m.State == "all"},
	}
}

// narrowed says whether a filter beside the state is on.
func (m *Discrepancies) narrowed() bool {
	return m.Typed.Get("owner") != "" || m.Typed.Get("subject") != ""
}

func (m *Discrepancies) ownerField() ui.Field {
	return ui.Field{Name: "owner", Label: "Owner or risk owner", Value: m.Typed.Get("owner"), Error: m.Errors.Of("owner"), Autocomplete: "off"}
}

func (m *Discrepancies) subjectField() ui.Field {
	f := ui.Field{
		Name: "subject", Label: "Runtime or receiver", Value: m.Typed.Get("subject"), Error: m.Errors.Of("subject"),
		Options: []ui.Option{{Text: "any"}},
	}
	for _, s := range m.Subjects {
		f.Options = append(f.Options, ui.Option{Value: strconv.FormatInt(s.ID, 10), Text: s.Name + ", " + s.Kind.String()})
	}
	return f
}

func (m *Discrepancies) pages(p Page) ui.Pages {
	pages := ui.Pages{Words: ui.Plural(len(m.Rows), "discrepancy", "discrepancies") + " shown, newest first"}
	if m.Older != "" {
		pages.Next = p.With("before", m.Older)
	}
	if m.Typed.Get("before") != "" {
		pages.First = p.With("before", "")
	}
	return pages
}

// nothingOpen is the list that no filter emptied.
func (m *Discrepancies) nothingOpen(p Page) ui.EmptyOf {
	e := ui.EmptyOf{
		Title: "No discrepancy is open",
		Text: "One opens by itself when evidence stands against a statement. That none is open says nothing about what was never tested: " +
			"import results or record evidence first.",
	}
	if m.State == "closed" {
		e.Title = "No discrepancy was closed"
		e.Text = "One closes when every sighting of it is closed, withdrawn or verified as fixed. Nothing closes because it stopped appearing."
	}
	if m.State == "all" {
		e.Title = "There is no discrepancy"
	}
	if !p.AsOf.Past && (posture.Access{Role: p.Person.Role}).May(posture.RecordEvidence) {
		e.Actions = []ui.Action{{Text: "Import results", Href: "/evidence/import", Icon: "upload"}, {Text: "Record evidence", Href: "/evidence/new"}}
	}
	return e
}
