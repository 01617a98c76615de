package view

import (
	"strconv"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// Runs is one page of imports, newest first.
type Runs struct {
	Rows      []posture.RunRow
	MayImport bool
	// Later says that there are newer ones before this page; Older is the
	// keyset of the next page, empty on the last.
	Later bool
	Older string
}

func (m *Runs) pages(p Page) ui.Pages {
	pages := ui.Pages{Words: ui.Plural(len(m.Rows), "import", "imports") + " shown, newest first"}
	if m.Older != "" {
		pages.Next = p.With("before", m.Older)
	}
	if m.Later {
		pages.First = p.With("before", "")
	}
	return pages
}

// Run is an import with its receipt and a page of its results.
type Run struct {
	Row     posture.RunRow
	Results []posture.Result
	// After is the result that the page begins after, Next that of the next
	// page, empty on the last.
	After int
	Next  string
}

func runName(id int64) string { return "run " + strconv.FormatInt(id, 10) }

func (m *Run) sub() string {
	text := ui.Sentence(runName(m.Row.ID)) + ", " + m.Row.Format + ", imported " + ui.Minute(m.Row.RecordedAt) + " by " + m.Row.By
	if m.Row.Runtime != "" {
		text += ", about " + m.Row.Runtime
	}
	return text + "."
}

func (m *Run) pages(p Page) ui.Pages {
	words := "none"
	if len(m.Results) > 0 {
		words = "records " + ui.Count(m.Results[0].Seq) + " to " + ui.Count(m.Results[len(m.Results)-1].Seq) + " of the file; " +
			ui.Count(m.Row.Receipt.Records.Stored) + " are stored"
	}
	pages := ui.Pages{Words: words}
	if m.Next != "" {
		pages.Next = p.With("after", m.Next) + "#h-results"
	}
	if m.After > 0 {
		pages.First = p.With("after", "") + "#h-results"
	}
	return pages
}

// identity is what the run says it was taken on.
func (m *Run) identity() posture.Identity {
	var id posture.Identity
	for name, v := range m.Row.Receipt.Identity {
		if f, err := posture.ParseFacet(name); err == nil {
			id[f] = v
		}
	}
	return id
}

func (m *Run) idents() []ui.Ident {
	return ui.TargetIdents(posture.Target{Identity: m.identity()}, posture.Target{})
}

// mappedWords say how many of the stored results are about a statement.
func mappedWords(r *posture.Receipt) string {
	return ui.Count(r.Mapped) + " of " + ui.Count(r.Records.Stored) + " mapped, " + ui.Count(r.Unmapped) + " unmapped"
}

// resultSeen is what a result says was seen, cut at its first lines.
func resultSeen(r *posture.Result) string {
	const most = 200
	for _, text := range []string{r.ObservedBehaviour, r.Message, r.RefusalOrigin} {
		if text == "" {
			continue
		}
		if cut := []rune(text); len(cut) > most {
			return string(cut[:most]) + " …"
		}
		return text
	}
	return ""
}
