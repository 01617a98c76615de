package view

import (
	"slices"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view/ui"
)

// Discrepancy is one discrepancy with its sightings.
type Discrepancy struct {
	posture.Discrepancy

	Library library.Statement
	// Known says that the library has the statement.
	Known bool
	// MayClose and MayAccept say what the reader's role allows.
	MayClose  bool
	MayAccept bool
}

// NewDiscrepancy adds the statement's words.
func NewDiscrepancy(d posture.Discrepancy, lib *library.Library) Discrepancy {
	m := Discrepancy{Discrepancy: d}
	m.Library, m.Known = lib.Statement(d.Statement)
	return m
}

// Name is the discrepancy's id, such as "D-214".
func (m *Discrepancy) Name() string { return discrepancyName(m.ID) }

// Title names the page.
func (m *Discrepancy) Title() string { return m.Name() + ", " + m.Statement + " at " + m.Subject.Name }

// sentence is the statement whole.
func (m *Discrepancy) sentence() string {
	if m.Known {
		return m.Library.Sentence() + "."
	}
	return ""
}

// ownerOf says whose the discrepancy is.
func (m *Discrepancy) ownerOf() string {
	if m.Subject.Kind == posture.Receiver {
		return "Owner of the receiver"
	}
	return "Owner of the runtime"
}

// decisions are what the reader may do about it from here.
func (m *Discrepancy) decisions(p Page) []ui.Action {
	if p.AsOf.Past || !m.Open || len(m.Sightings) == 0 {
		return nil
	}
	var actions []ui.Action
	if m.MayClose {
		newest := m.Sightings[0].Evidence
		actions = append(actions, ui.Action{Text: "Close " + newest, Href: RecordPath(newest) + "/close"})
	}
	if m.MayAccept {
		actions = append(actions, ui.Action{Text: "Accept the risk", Href: onStatement("/accept", m.Subject.ID, m.Statement)})
	}
	return actions
}

// toClose says what closes it.
func (m *Discrepancy) toClose() string {
	text := "Every sighting has to be closed: by a fix named and a passing deny"
	if m.Case != "" {
		text += " for " + m.Case
	}
	return text + " on the fixed configuration, by showing that it does not apply to the target, or by showing that the test was invalid. " +
		"Who closes it is somebody other than who tested it. Nothing closes because it stopped appearing."
}

// moved lists the facets by which a sighting's identity differs from the one
// before it in the list, which is newer.
func (m *Discrepancy) moved(i int) string {
	if i == 0 {
		return ""
	}
	newer, older := m.Sightings[i-1].Identity, m.Sightings[i].Identity
	text := ""
	for _, f := range posture.Facets() {
		if newer[f] != older[f] {
			if text != "" {
				text += ", "
			}
			text += f.String()
		}
	}
	return text
}

// variants says whether the sightings are of more than one configuration.
func (m *Discrepancy) variants() int {
	var seen []posture.Identity
	for _, g := range m.Sightings {
		if !slices.Contains(seen, g.Identity) {
			seen = append(seen, g.Identity)
		}
	}
	return len(seen)
}
