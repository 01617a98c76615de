package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
)

// componentRoutes are the shared dependencies: the receivers that sessions
// reach.
func (s *Server) componentRoutes(e *echo.Echo) {
	e.GET("/dependencies", s.componentsPage)
	e.GET("/dependencies/:slug", s.componentPage)
	e.GET("/dependencies/:slug/evidence", s.componentEvidencePage)
	e.GET("/dependencies/:slug/history", s.componentHistoryPage)
	e.GET("/dependencies/:slug/cells/:statement", s.statementPage)
}

func (s *Server) componentsPage(c echo.Context) error {
	f := readQuery(c)
	find, after := f.Text("find", maxName), f.Text("after", maxSlug)
	if err := f.Err(); err != nil {
		return err
	}
	rows, next, err := s.store.Components(c.Request().Context(), access(c), asOf(c), find, after, runtimesSize)
	if err != nil {
		return err
	}
	m := view.Components{Rows: rows, Next: next, Find: find, MayEdit: mayEdit(c)}
	return s.render(c, view.ComponentsPage(s.page(c, "Dependencies", "Dependencies"), m))
}

func (s *Server) componentPage(c echo.Context) error {
	m, err := s.componentModel(c, "Boundaries")
	if err != nil {
		return err
	}
	return s.render(c, view.ComponentPage(s.componentFrame(c, m), m))
}

func (s *Server) componentEvidencePage(c echo.Context) error {
	m, err := s.componentModel(c, "Evidence")
	if err != nil {
		return err
	}
	f := readQuery(c)
	filter := posture.RecordFilter{Subject: m.Component.Subject, Before: f.ID("before"), Limit: recordsSize}
	if err := f.Err(); err != nil {
		return err
	}
	rows, next, err := s.store.Evidence(c.Request().Context(), access(c), asOf(c), filter)
	if err != nil {
		return err
	}
	return s.render(c, view.ComponentEvidencePage(s.componentFrame(c, m), m, view.Records{Rows: rows, Next: next}))
}

func (s *Server) componentHistoryPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	component, err := s.store.Component(c.Request().Context(), access(c), c.Param("slug"), asOf(c))
	if err != nil {
		return err
	}
	m := view.NewComponent(posture.ComponentPage{Component: component}, lib, access(c), "History")
	h, err := s.history(c, m.Component.Subject)
	if err != nil {
		return err
	}
	return s.render(c, view.ComponentHistoryPage(s.componentFrame(c, m), m, h))
}

func (s *Server) componentModel(c echo.Context, tab string) (view.Component, error) {
	lib, err := library.Load()
	if err != nil {
		return view.Component{}, err
	}
	page, err := s.store.ComponentPage(c.Request().Context(), access(c), asOf(c), c.Param("slug"))
	if err != nil {
		return view.Component{}, err
	}
	return view.NewComponent(page, lib, access(c), tab), nil
}

func (s *Server) componentFrame(c echo.Context, m view.Component) view.Page {
	crumbs := []view.Crumb{{Text: "Dependencies", Href: "/dependencies"}, {Text: m.Component.Name}}
	return s.page(c, m.Component.Name, "Dependencies", crumbs...)
}

// statementPage explains one statement judged at a receiver.
func (s *Server) statementPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	ctx, a, at := c.Request().Context(), access(c), asOf(c)
	component, err := s.store.Component(ctx, a, c.Param("slug"), at)
	if err != nil {
		return err
	}
	item, err := s.store.StatementPage(ctx, a, at, component.Subject, c.Param("statement"))
	if err != nil {
		return err
	}
	m := view.NewStatement(component, item, lib, a, s.judgedAt(c))
	crumbs := []view.Crumb{
		{Text: "Dependencies", Href: "/dependencies"},
		{Text: component.Name, Href: "/dependencies/" + component.Slug},
		{Text: item.Row.Statement},
	}
	return s.render(c, view.StatementPage(s.page(c, item.Row.Statement+" · "+component.Name, "Dependencies", crumbs...), m))
}
