package web

import (
	"time"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
)

// runtimeRoutes are the list of runtimes and the tabs of one.
func (s *Server) runtimeRoutes(e *echo.Echo) {
	e.GET("/runtimes", s.runtimesPage)
	e.GET("/runtimes/:slug", s.runtimePage)
	e.GET("/runtimes/:slug/evidence", s.runtimeEvidencePage)
	e.GET("/runtimes/:slug/history", s.runtimeHistoryPage)
	e.GET("/runtimes/:slug/cells/:dimension", s.cellPage)
}

// runtimePage shows a runtime's boundaries, statement by statement, in the two
// columns.
func (s *Server) runtimePage(c echo.Context) error {
	m, err := s.runtimeModel(c, "Boundaries")
	if err != nil {
		return err
	}
	f := readQuery(c)
	m.Show = f.Choice("show", "", "not-met", "stale", "unowned")
	if err := f.Err(); err != nil {
		return err
	}
	return s.render(c, view.RuntimePage(s.runtimeFrame(c, m), m))
}

// runtimeEvidencePage lists the records of a runtime's unit and its receivers.
func (s *Server) runtimeEvidencePage(c echo.Context) error {
	m, err := s.runtimeModel(c, "Evidence")
	if err != nil {
		return err
	}
	f := readQuery(c)
	filter := posture.RecordFilter{
		Runtime: m.Runtime.Slug, Statement: f.Text("statement", maxName), Side: f.Choice("side", "", "against", "for"),
		Before: f.ID("before"), Limit: recordsSize,
	}
	if err := f.Err(); err != nil {
		return err
	}
	rows, next, err := s.store.Evidence(c.Request().Context(), access(c), asOf(c), filter)
	if err != nil {
		return err
	}
	m.Side = filter.Side
	return s.render(c, view.RuntimeEvidencePage(s.runtimeFrame(c, m), m, view.Records{Rows: rows, Next: next}))
}

// runtimeHistoryPage tells what was recorded and decided, newest first. It
// leaves out what the other tabs count.
func (s *Server) runtimeHistoryPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	r, err := s.store.Runtime(c.Request().Context(), access(c), c.Param("slug"), asOf(c))
	if err != nil {
		return err
	}
	m := view.NewRuntime(posture.RuntimePage{Runtime: r}, lib, access(c), "History")
	h, err := s.history(c, m.Runtime.Subject)
	if err != nil {
		return err
	}
	return s.render(c, view.RuntimeHistoryPage(s.runtimeFrame(c, m), m, h))
}

// The rows of a tab.
const (
	recordsSize = 50
	historySize = 50
)

func (s *Server) runtimeModel(c echo.Context, tab string) (view.Runtime, error) {
	lib, err := library.Load()
	if err != nil {
		return view.Runtime{}, err
	}
	page, err := s.store.RuntimePage(c.Request().Context(), access(c), asOf(c), c.Param("slug"))
	if err != nil {
		return view.Runtime{}, err
	}
	return view.NewRuntime(page, lib, access(c), tab), nil
}

func (s *Server) runtimeFrame(c echo.Context, m view.Runtime) view.Page {
	crumbs := []view.Crumb{{Text: "Runtimes", Href: "/runtimes"}, {Text: m.Runtime.Name}}
	return s.page(c, m.Runtime.Name, "Runtimes", crumbs...)
}

// history reads one page of a subject's history; the keyset is the instant of
// the last event shown.
func (s *Server) history(c echo.Context, subject int64) (view.History, error) {
	var before time.Time
	if text := c.QueryParam("before"); text != "" {
		var err error
		if before, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return view.History{}, posture.NotFoundError("older entry")
		}
	}
	events, err := s.store.History(c.Request().Context(), access(c), asOf(c), subject, before, historySize)
	return view.NewHistory(events, historySize), err
}

// cellPage explains one cell of a runtime, statement by statement.
func (s *Server) cellPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	page, err := s.store.CellPage(c.Request().Context(), access(c), asOf(c), c.Param("slug"), c.Param("dimension"))
	if err != nil {
		return err
	}
	m := view.NewCell(page, lib, access(c), s.judgedAt(c))
	crumbs := []view.Crumb{
		{Text: "Runtimes", Href: "/runtimes"},
		{Text: page.Runtime.Name, Href: "/runtimes/" + page.Runtime.Slug},
		{Text: m.Dimension.Name},
	}
	return s.render(c, view.CellPage(s.page(c, m.Dimension.Name+" · "+page.Runtime.Name, "Runtimes", crumbs...), m))
}

// judgedAt gives the instant that the page is read at.
func (s *Server) judgedAt(c echo.Context) posture.AsOf {
	at := asOf(c)
	if at.At.IsZero() {
		at.At = s.now()
	}
	return at
}
