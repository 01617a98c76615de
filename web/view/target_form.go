package view

import (
	"net/url"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// SubjectPlace is a subject with the target in force, for the forms about it.
type SubjectPlace struct {
	Subject posture.SubjectRef
	Target  posture.Target
}

// Path is the address of the subject's page.
func (p SubjectPlace) Path() string { return subjectHref(p.Subject) }

// TargetForm asks what a subject runs on now.
type TargetForm struct {
	Draft
	Place SubjectPlace
	// Stale is what the target would do to each statement, in the second step.
	Stale []posture.Staleness

	targets []posture.Target
	systems []posture.CatalogueRow
}

func targetLabels() map[string]string {
	labels := map[string]string{"reason": "What changed"}
	for _, f := range posture.Facets() {
		labels[f.String()] = ui.FacetWords(f)
	}
	return labels
}

// NewTargetForm begins with the target in force. targets are those so far,
// newest first.
func NewTargetForm(place SubjectPlace, targets []posture.Target, systems []posture.CatalogueRow) TargetForm {
	typed := url.Values{}
	for _, f := range posture.Facets() {
		typed.Set(f.String(), place.Target.Identity[f])
	}
	return TargetForm{Draft: Draft{Typed: typed, labels: targetLabels()}, Place: place, targets: targets, systems: systems}
}

// With gives the form as it stands after it was sent.
func (m TargetForm) With(d Draft) TargetForm {
	d.labels = targetLabels()
	m.Draft = d
	return m
}

func (m TargetForm) action() string { return m.Place.Path() + "/target" }

// moved compares what was typed with the target in force.
func (m TargetForm) moved() []facetRow {
	var out []facetRow
	for _, f := range posture.Facets() {
		now, next := m.Place.Target.Identity[f], m.text(f.String())
		if now != next {
			out = append(out, facetRow{facet: f, now: now, record: next})
		}
	}
	return out
}

// before gives the target before the i-th, zero for the first one ever.
func (m TargetForm) before(i int) posture.Target {
	if i+1 < len(m.targets) {
		return m.targets[i+1]
	}
	return posture.Target{}
}

// movedWords names the facets in which a target differs from the one before.
func movedWords(t, before posture.Target) string {
	if before.ID == 0 {
		return "first description"
	}
	var moved []posture.Facet
	for _, f := range posture.Facets() {
		if t.Identity[f] != before.Identity[f] {
			moved = append(moved, f)
		}
	}
	return posture.FacetWords(moved) + " moved"
}

// standingWords adds to a label what it does not say by itself.
func standingWords(v *posture.Verdict) string {
	if v.State != v.Label {
		return "underlying: " + v.State.Words()
	}
	if v.Rung != posture.NotStated && v.Rung.Label() != v.Label {
		return "support now: " + v.Rung.Words()
	}
	return ""
}
