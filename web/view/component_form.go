package view

import (
	"net/url"
	"strconv"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// ComponentForm describes a component; one without a Slug makes a new one.
type ComponentForm struct {
	Draft
	Slug    string
	Retired bool
	// runtime is the slug of the runtime that the component is described for,
	// empty for none.
	runtime string
	offers  Offers
}

func componentLabels() map[string]string {
	labels := map[string]string{
		"slug": "Short name", "portfolio": "Portfolio", "kind": "Kind", "name": "Name", "purpose": "Purpose", "owner": "Owner",
		"risk_owner": "Risk owner", "data_class": "Data class", "criticality": "Criticality", "shared": "Several tenants share it",
		"retired": "Retired",
	}
	for _, f := range posture.Facets() {
		labels[f.String()] = ui.FacetWords(f)
	}
	return labels
}

// NewComponentForm begins an empty form, for a runtime where one is named.
func NewComponentForm(offers Offers, runtime string) ComponentForm {
	typed := componentTyped(&posture.Component{Kind: posture.ComponentKinds()[0], Shared: true})
	typed.Del("version") // here the version is that of what runs
	return ComponentForm{Draft: Draft{Typed: typed, labels: componentLabels()}, runtime: runtime, offers: offers}
}

// EditComponentForm begins with the description in force.
func EditComponentForm(c posture.Component) ComponentForm {
	return ComponentForm{Draft: Draft{Typed: componentTyped(&c), labels: componentLabels()}, Slug: c.Slug, Retired: c.Retired}
}

// With gives the form as it stands after it was sent.
func (m ComponentForm) With(d Draft) ComponentForm {
	d.labels = componentLabels()
	m.Draft = d
	return m
}

func componentTyped(c *posture.Component) url.Values {
	typed := url.Values{
		"kind": {c.Kind}, "name": {c.Name}, "purpose": {c.Purpose}, "owner": {c.Owner}, "risk_owner": {c.RiskOwner},
		"data_class": {c.DataClass}, "criticality": {c.Criticality.String()}, "version": {strconv.Itoa(c.Version)},
	}
	if c.Shared {
		typed.Set("shared", "yes")
	}
	if c.Retired {
		typed.Set("retired", "yes")
	}
	return typed
}

func (m ComponentForm) isNew() bool { return m.Slug == "" }

func (m ComponentForm) action() string {
	switch {
	case m.isNew() && m.runtime != "":
		return "/dependencies/new?" + url.Values{"runtime": {m.runtime}}.Encode()
	case m.isNew():
		return "/dependencies/new"
	default:
		return "/dependencies/" + m.Slug + "/edit"
	}
}

func (m ComponentForm) back() string {
	switch {
	case m.isNew() && m.runtime != "":
		return linkPath(m.runtime)
	case m.isNew():
		return "/dependencies"
	default:
		return "/dependencies/" + m.Slug
	}
}

// After is where a component that was just made leads: to its own page, or to
// linking it to the runtime it was described for.
func (m ComponentForm) After(slug string) string {
	if m.runtime != "" {
		return linkPath(m.runtime) + "?" + url.Values{"find": {slug}}.Encode()
	}
	return "/dependencies/" + slug
}

func (m ComponentForm) title() string {
	if m.isNew() {
		return "Describe a component"
	}
	return "Edit " + m.Slug
}

func (m ComponentForm) kinds() ui.Field {
	return m.choice("kind", "", optionsOf(posture.ComponentKinds()))
}

func (m ComponentForm) retiredField() ui.Field {
	return m.choice("retired", "", []ui.Option{{Value: "yes", Text: "It stays retired"}, {Value: "no", Text: "Bring it back into the lists"}})
}

// MergeComponent puts three versions of a description side by side.
func MergeComponent(began, now posture.Component, mine url.Values) Merge {
	labels := componentLabels()
	field := func(name string, words func(string) string) MergeField {
		return MergeField{Name: name, Label: labels[name], Words: words}
	}
	fields := []MergeField{
		field("kind", wordsOf), field("name", nil), field("purpose", nil), field("owner", nil), field("risk_owner", nil),
		field("data_class", nil), field("criticality", nil), field("shared", boxWords),
	}
	if now.Retired {
		fields = append(fields, field("retired", nil))
	}
	return Merge{
		Title: "Edit " + now.Slug, Action: "/dependencies/" + now.Slug + "/edit", Back: "/dependencies/" + now.Slug + "/edit", Who: now.By,
		Version: strconv.Itoa(now.Version), Fields: fields, Began: componentTyped(&began), Now: componentTyped(&now), Mine: mine,
		Done: "Save these choices",
	}
}
