package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// componentFormRoutes describe, change and retire components.
func (s *Server) componentFormRoutes(e *echo.Echo) {
	e.GET("/dependencies/new", s.newComponentPage)
	e.POST("/dependencies/new", s.createComponent)
	e.GET("/dependencies/:slug/edit", s.editComponentPage)
	e.POST("/dependencies/:slug/edit", s.changeComponent)
	e.GET("/dependencies/:slug/retire", s.retireComponentPage)
	e.POST("/dependencies/:slug/retire", s.retireComponent)
}

func (s *Server) newComponentPage(c echo.Context) error {
	m, err := s.newComponentModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.ComponentFormPage(s.nounFrame(c, "Describe a component", "Dependencies", ""), m))
}

func (s *Server) newComponentModel(c echo.Context) (view.ComponentForm, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return view.ComponentForm{}, err
	}
	offers, err := s.formOffers(c.Request().Context(), access(c))
	return view.NewComponentForm(offers, c.QueryParam("runtime")), err
}

// createComponent describes a component; one that was asked for from a
// runtime's links leads back there.
func (s *Server) createComponent(c echo.Context) error {
	m, err := s.newComponentModel(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	again := func(errs ui.Errors) templ.Component {
		return view.ComponentFormPage(s.nounFrame(c, "Describe a component", "Dependencies", ""), m.With(view.Draft{Typed: f.values, Errors: errs}))
	}
	made := readComponent(f)
	made.Slug, made.Portfolio = readSlug(f), f.ID("portfolio")
	made.Target.Identity, made.Target.Reason = readIdentity(f), "first description"
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	made, err = s.store.CreateComponent(c.Request().Context(), access(c), made)
	if err != nil {
		return s.invalid(c, err, again)
	}
	s.flash(c, made.Slug+" is described. What is asked of it comes with its first link.")
	return seeOther(c, m.After(made.Slug))
}

func (s *Server) editComponentPage(c echo.Context) error {
	now, err := s.editableComponent(c)
	if err != nil {
		return err
	}
	return s.render(c, view.ComponentFormPage(s.nounFrame(c, "Edit", "Dependencies", now.Slug), view.EditComponentForm(now)))
}

func (s *Server) editableComponent(c echo.Context) (posture.Component, error) {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return posture.Component{}, err
	}
	return s.store.Component(c.Request().Context(), access(c), c.Param("slug"), posture.AsOf{})
}

// changeComponent saves a description; where somebody else saved it in the
// meantime the two are put side by side.
func (s *Server) changeComponent(c echo.Context) error {
	now, err := s.editableComponent(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	again := func(errs ui.Errors) templ.Component {
		return view.ComponentFormPage(s.nounFrame(c, "Edit", "Dependencies", now.Slug), view.EditComponentForm(now).With(view.Draft{Typed: f.values, Errors: errs}))
	}
	mine := readComponent(f)
	mine.Slug, mine.Version = now.Slug, f.Int("version", 1, 1<<30)
	mine.Retired = now.Retired && f.Typed("retired") != "no"
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	saved, err := s.store.ChangeComponent(c.Request().Context(), access(c), mine)
	switch {
	case isConflict(err):
		return s.mergeComponent(c, f, mine)
	case err != nil:
		return s.invalid(c, err, again)
	}
	s.flash(c, saved.Slug+" is saved.")
	return seeOther(c, "/dependencies/"+saved.Slug)
}

func (s *Server) mergeComponent(c echo.Context, f *form, mine posture.Component) error {
	ctx, a := c.Request().Context(), access(c)
	began, err := s.store.ComponentVersion(ctx, a, mine.Slug, mine.Version)
	if err != nil {
		return err
	}
	now, err := s.store.Component(ctx, a, mine.Slug, posture.AsOf{})
	if err != nil {
		return err
	}
	return s.merge(c, s.nounFrame(c, "Edit", "Dependencies", now.Slug), view.MergeComponent(began, now, f.values))
}

func (s *Server) retireComponentPage(c echo.Context) error {
	now, err := s.editableComponent(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RetirePage(s.nounFrame(c, "Retire", "Dependencies", now.Slug), view.RetireComponentForm(now)))
}

func (s *Server) retireComponent(c echo.Context) error {
	now, err := s.editableComponent(c)
	if err != nil {
		return err
	}
	return s.retire(c, view.RetireComponentForm(now), s.store.RetireComponent)
}

func readComponent(f *form) posture.Component {
	return posture.Component{
		Kind: f.Choice("kind", posture.ComponentKinds()...), Name: f.Text("name", maxName), Purpose: f.Text("purpose", maxText),
		Owner: f.Text("owner", maxName), RiskOwner: f.Text("risk_owner", maxName),
		DataClass: f.Choice("data_class", append(posture.DataClasses(), "")...), Criticality: readCriticality(f), Shared: f.Bool("shared"),
	}
}
