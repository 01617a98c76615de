package web

import (
	"context"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// runtimeFormRoutes describe, change and retire runtimes.
func (s *Server) runtimeFormRoutes(e *echo.Echo) {
	e.GET("/runtimes/new", s.newRuntimePage)
	e.POST("/runtimes/new", s.createRuntime)
	e.GET("/runtimes/:slug/edit", s.editRuntimePage)
	e.POST("/runtimes/:slug/edit", s.changeRuntime)
	e.GET("/runtimes/:slug/retire", s.retireRuntimePage)
	e.POST("/runtimes/:slug/retire", s.retireRuntime)
}

func (s *Server) newRuntimePage(c echo.Context) error {
	m, err := s.newRuntimeModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RuntimeFormPage(s.nounFrame(c, "Describe a runtime", "Runtimes", ""), m))
}

// newRuntimeModel begins an empty form, on the system of the catalogue that the
// address names.
func (s *Server) newRuntimeModel(c echo.Context) (view.RuntimeForm, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return view.RuntimeForm{}, err
	}
	offers, err := s.formOffers(c.Request().Context(), access(c))
	return view.NewRuntimeForm(offers, c.QueryParam("system")), err
}

// formOffers reads what the fields of a form offer: portfolios in reach and
// the systems of the catalogue.
func (s *Server) formOffers(ctx context.Context, a posture.Access) (view.Offers, error) {
	portfolios, err := s.store.Portfolios(ctx, a)
	if err != nil {
		return view.Offers{}, err
	}
	systems, err := s.store.CatalogueSystems(ctx, a, posture.AsOf{}, "", "")
	return view.Offers{Portfolios: portfolios, Systems: systems}, err
}

func (s *Server) createRuntime(c echo.Context) error {
	m, err := s.newRuntimeModel(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	again := func(errs ui.Errors) templ.Component {
		return view.RuntimeFormPage(s.nounFrame(c, "Describe a runtime", "Runtimes", ""), m.With(view.Draft{Typed: f.values, Errors: errs}))
	}
	r := readRuntime(f)
	r.Slug, r.Portfolio = readSlug(f), f.ID("portfolio")
	r.Target.Identity, r.Target.Reason = readIdentity(f), "first description"
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	made, err := s.store.CreateRuntime(c.Request().Context(), access(c), r)
	if err != nil {
		return s.invalid(c, err, again)
	}
	s.flash(c, made.Slug+" is described. Next: link the receivers that its sessions use.")
	return seeOther(c, "/runtimes/"+made.Slug)
}

func (s *Server) editRuntimePage(c echo.Context) error {
	r, err := s.editableRuntime(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RuntimeFormPage(s.nounFrame(c, "Edit", "Runtimes", r.Slug), view.EditRuntimeForm(r)))
}

func (s *Server) editableRuntime(c echo.Context) (posture.Runtime, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return posture.Runtime{}, err
	}
	return s.store.Runtime(c.Request().Context(), access(c), c.Param("slug"), posture.AsOf{})
}

// changeRuntime saves a description; where somebody else saved it in the
// meantime the two are put side by side.
func (s *Server) changeRuntime(c echo.Context) error {
	now, err := s.editableRuntime(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	again := func(errs ui.Errors) templ.Component {
		return view.RuntimeFormPage(s.nounFrame(c, "Edit", "Runtimes", now.Slug), view.EditRuntimeForm(now).With(view.Draft{Typed: f.values, Errors: errs}))
	}
	r := readRuntime(f)
	r.Slug, r.Version = now.Slug, f.Int("version", 1, 1<<30)
	r.Retired = now.Retired && f.Typed("retired") != "no"
	if r.Retired {
		r.RetiredBecause = now.RetiredBecause
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	saved, err := s.store.ChangeRuntime(c.Request().Context(), access(c), r)
	switch {
	case isConflict(err):
		return s.mergeRuntime(c, f, r)
	case err != nil:
		return s.invalid(c, err, again)
	}
	s.flash(c, saved.Slug+" is saved.")
	return seeOther(c, "/runtimes/"+saved.Slug)
}

func (s *Server) mergeRuntime(c echo.Context, f *form, mine posture.Runtime) error {
	ctx, a := c.Request().Context(), access(c)
	began, err := s.store.RuntimeVersion(ctx, a, mine.Slug, mine.Version)
	if err != nil {
		return err
	}
	now, err := s.store.Runtime(ctx, a, mine.Slug, posture.AsOf{})
	if err != nil {
		return err
	}
	return s.merge(c, s.nounFrame(c, "Edit", "Runtimes", now.Slug), view.MergeRuntime(began, now, f.values))
}

func (s *Server) retireRuntimePage(c echo.Context) error {
	r, err := s.editableRuntime(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RetirePage(s.nounFrame(c, "Retire", "Runtimes", r.Slug), view.RetireRuntimeForm(r)))
}

func (s *Server) retireRuntime(c echo.Context) error {
	now, err := s.editableRuntime(c)
	if err != nil {
		return err
	}
	return s.retire(c, view.RetireRuntimeForm(now), s.store.RetireRuntime)
}

// retire retires a noun from the version that was read. A stale save is asked
// again, on the version in force.
func (s *Server) retire(c echo.Context, m view.RetireForm, save func(ctx context.Context, a posture.Access, slug string, version int, because string) error) error {
	f := readForm(c)
	version, because := f.Int("version", 1, 1<<30), f.Text("because", maxText)
	again := func(errs ui.Errors) templ.Component {
		return view.RetirePage(s.nounFrame(c, "Retire", m.Section, m.Slug), m.With(view.Draft{Typed: f.values, Errors: errs}))
	}
	err := f.Err()
	if err == nil {
		err = save(c.Request().Context(), access(c), m.Slug, version, because)
	}
	switch {
	case isConflict(err):
		return s.conflicted(c, again(ui.ErrorsOf(err)))
	case err != nil:
		return s.invalid(c, err, again)
	}
	s.flash(c, m.Slug+" is retired. Its history stays.")
	return seeOther(c, m.List())
}

// nounFrame is the frame of a form about a runtime or a component; a new one
// has no slug yet.
func (s *Server) nounFrame(c echo.Context, title, section, slug string) view.Page {
	list := "/" + strings.ToLower(section)
	crumbs := []view.Crumb{{Text: section, Href: list}}
	if slug == "" {
		return s.page(c, title, section, append(crumbs, view.Crumb{Text: title})...)
	}
	crumbs = append(crumbs, view.Crumb{Text: slug, Href: list + "/" + slug}, view.Crumb{Text: title})
	return s.page(c, title+" "+slug, section, crumbs...)
}

func readRuntime(f *form) posture.Runtime {
	r := posture.Runtime{
		Name: f.Text("name", maxName), Purpose: f.Text("purpose", maxText), Owner: f.Text("owner", maxName),
		RiskOwner: f.Text("risk_owner", maxName), DataClass: f.Choice("data_class", append(posture.DataClasses(), "")...),
		MultiTenant: f.Bool("multi_tenant"), Profile: f.Text("profile", maxName), Intents: map[string]posture.Intent{},
		Criticality: readCriticality(f),
	}
	if stage, err := posture.ParseStage(f.Choice("stage", view.StageNames()...)); err == nil {
		r.Stage = stage
	}
	for _, d := range library.Must().Dimensions() {
		intent := posture.Intent{Text: f.Text("intent."+d.Code, maxText)}
		if purpose, err := posture.ParsePurpose(f.Choice("wanted."+d.Code, "intended", "not_intended", "undecided")); err == nil {
			intent.Purpose = purpose
		}
		r.Intents[d.Code] = intent
	}
	return r
}

func readCriticality(f *form) posture.Criticality {
	criticality, err := posture.ParseCriticality(f.Choice("criticality", "normal", "high"))
	if err != nil {
		return posture.CriticalityNormal
	}
	return criticality
}

func readIdentity(f *form) posture.Identity {
	var id posture.Identity
	for _, facet := range posture.Facets() {
		id[facet] = f.Text(facet.String(), maxText)
	}
	return id
}

// readSlug reads a short name, or makes one of the name where none was typed.
func readSlug(f *form) string {
	switch slug := f.Text("slug", maxName); slug {
	case "":
	case "new":
		f.Fail("slug", "“new” is the address of this form. Choose another.")
		return slug
	default:
		return slug
	}
	name := strings.ToLower(f.Text("name", maxName))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
	slug := strings.Join(words, "-")
	return slug[:min(len(slug), 63)]
}
