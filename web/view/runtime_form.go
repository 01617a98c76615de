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

// RuntimeForm describes a runtime; one without a Slug makes a new one.
type RuntimeForm struct {
	Draft
	Slug    string
	Retired bool
	offers  Offers
}

// Offers are what the fields of a form offer.
type Offers struct {
	Portfolios []posture.Portfolio
	Systems    []posture.CatalogueRow
}

// runtimeLabels name the fields of the form in order of the page.
func runtimeLabels() map[string]string {
	labels := map[string]string{
		"slug": "Short name", "portfolio": "Portfolio", "name": "Name", "purpose": "Purpose", "owner": "Owner", "risk_owner": "Risk owner",
		"stage": "Stage", "data_class": "Data class", "criticality": "Criticality", "multi_tenant": "Several tenants share it",
		"profile": "Profile", "retired": "Retired",
	}
	for _, d := range library.Must().Dimensions() {
		labels["wanted."+d.Code] = d.Name + ": wanted"
		labels["intent."+d.Code] = d.Name + ": in words"
	}
	for _, f := range posture.Facets() {
		labels[f.String()] = ui.FacetWords(f)
	}
	return labels
}

// NewRuntimeForm begins an empty form, on a system of the catalogue where one
// is named.
func NewRuntimeForm(offers Offers, system string) RuntimeForm {
	typed := runtimeTyped(&posture.Runtime{Stage: posture.StageEvaluation, Profile: library.Must().Profiles()[0].ID})
	typed.Del("version") // here the version is that of what runs
	for _, row := range offers.Systems {
		if row.ID != system {
			continue
		}
		typed.Set("vendor", row.Vendor)
		typed.Set("product", row.Product)
		if row.Variant != "unspecified" {
			typed.Set("variant", row.Variant)
		}
	}
	return RuntimeForm{Draft: Draft{Typed: typed, labels: runtimeLabels()}, offers: offers}
}

// EditRuntimeForm begins with the description in force.
func EditRuntimeForm(r posture.Runtime) RuntimeForm {
	return RuntimeForm{Draft: Draft{Typed: runtimeTyped(&r), labels: runtimeLabels()}, Slug: r.Slug, Retired: r.Retired}
}

// With gives the form as it stands after it was sent.
func (m RuntimeForm) With(d Draft) RuntimeForm {
	d.labels = runtimeLabels()
	m.Draft = d
	return m
}

// runtimeTyped writes a description as the form holds it.
func runtimeTyped(r *posture.Runtime) url.Values {
	typed := url.Values{
		"name": {r.Name}, "purpose": {r.Purpose}, "owner": {r.Owner}, "risk_owner": {r.RiskOwner}, "stage": {r.Stage.String()},
		"data_class": {r.DataClass}, "criticality": {r.Criticality.String()}, "profile": {r.Profile}, "version": {strconv.Itoa(r.Version)},
	}
	if r.MultiTenant {
		typed.Set("multi_tenant", "yes")
	}
	if r.Retired {
		typed.Set("retired", "yes")
	}
	for _, d := range library.Must().Dimensions() {
		intent := r.Intents[d.Code]
		typed.Set("wanted."+d.Code, intent.Purpose.String())
		typed.Set("intent."+d.Code, intent.Text)
	}
	return typed
}

func (m RuntimeForm) isNew() bool { return m.Slug == "" }

func (m RuntimeForm) action() string {
	if m.isNew() {
		return "/runtimes/new"
	}
	return "/runtimes/" + m.Slug + "/edit"
}

func (m RuntimeForm) back() string {
	if m.isNew() {
		return "/runtimes"
	}
	return "/runtimes/" + m.Slug
}

func (m RuntimeForm) title() string {
	if m.isNew() {
		return "Describe a runtime"
	}
	return "Edit " + m.Slug
}

func (m RuntimeForm) dimensions(column string) []library.Dimension {
	return slices.DeleteFunc(slices.Clone(library.Must().Dimensions()), func(d library.Dimension) bool { return d.Column != column })
}

func (m RuntimeForm) wanted(d library.Dimension) ui.Field {
	return m.choice("wanted."+d.Code, "", []ui.Option{
		{Value: "intended", Text: "intended"}, {Value: "not_intended", Text: "not intended"}, {Value: "undecided", Text: "undecided"},
	})
}

func (m RuntimeForm) intent(d library.Dimension) ui.Field {
	return m.sized("intent."+d.Code, "", 1000)
}

func (d Draft) portfolioField(portfolios []posture.Portfolio) ui.Field {
	options := make([]ui.Option, 0, len(portfolios))
	for _, p := range portfolios {
		options = append(options, ui.Option{Value: strconv.FormatInt(p.ID, 10), Text: p.Name})
	}
	return d.choice("portfolio", "Who may see it. It cannot be moved later.", options)
}

func (m RuntimeForm) stages() ui.Field {
	options := make([]ui.Option, 0, len(posture.Stages()))
	for _, s := range posture.Stages() {
		options = append(options, ui.Option{Value: s.String(), Text: s.Words()})
	}
	return m.choice("stage", "", options)
}

// StageNames lists the stored names of the stages.
func StageNames() []string {
	names := make([]string, 0, len(posture.Stages()))
	for _, s := range posture.Stages() {
		names = append(names, s.String())
	}
	return names
}

func (d Draft) dataClasses() ui.Field {
	return d.choice("data_class", "The most sensitive that it handles.", withEmpty("not stated", optionsOf(posture.DataClasses())))
}

func (d Draft) criticalities() ui.Field {
	return d.choice("criticality", "", []ui.Option{
		{Value: "normal", Text: "normal"},
		{Value: "high", Text: "high", Hint: "a configuration counts for 3 days, a test for 90"},
	})
}

func (m RuntimeForm) profiles() ui.Field {
	f := m.choice("profile", "What it asks can be changed statement by statement afterwards.", nil)
	for _, p := range library.Must().Profiles() {
		f.Options = append(f.Options, ui.Option{
			Value: p.ID, Text: p.Name + ": " + ui.Plural(len(p.Statements), "statement", "statements") + ", " + p.Rung,
			Hint: p.About + " " + strings.Join(p.Statements, ", "),
		})
	}
	return f
}

func (m RuntimeForm) retiredField() ui.Field {
	return m.choice("retired", "", []ui.Option{{Value: "yes", Text: "It stays retired"}, {Value: "no", Text: "Bring it back into the lists"}})
}

// MergeRuntime puts three versions of a description side by side.
func MergeRuntime(began, now posture.Runtime, mine url.Values) Merge {
	labels := runtimeLabels()
	field := func(name string, words func(string) string) MergeField {
		return MergeField{Name: name, Label: labels[name], Words: words}
	}
	fields := []MergeField{
		field("name", nil), field("purpose", nil), field("owner", nil), field("risk_owner", nil), field("stage", wordsOf),
		field("data_class", nil), field("criticality", nil), field("multi_tenant", boxWords), field("profile", profileWords),
	}
	if now.Retired {
		fields = append(fields, field("retired", nil))
	}
	for _, d := range library.Must().Dimensions() {
		fields = append(fields, field("wanted."+d.Code, wordsOf), field("intent."+d.Code, nil))
	}
	return Merge{
		Title: "Edit " + now.Slug, Action: "/runtimes/" + now.Slug + "/edit", Back: "/runtimes/" + now.Slug + "/edit", Who: now.By,
		Version: strconv.Itoa(now.Version), Fields: fields, Began: runtimeTyped(&began), Now: runtimeTyped(&now), Mine: mine,
		Done: "Save these choices",
	}
}

// boxWords writes a check box as a page does.
func boxWords(value string) string {
	if value == "" {
		return "no"
	}
	return value
}

func profileWords(id string) string {
	if p, ok := library.Must().Profile(id); ok {
		return p.Name
	}
	return id
}
