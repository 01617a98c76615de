package web

import (
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
)

// overviewRoutes are the start page.
func (s *Server) overviewRoutes(e *echo.Echo) {
	e.GET("/", s.overviewPage)
}

// overviewSize is how many runtimes the posture matrix shows at once.
const overviewSize = 50

// overviewPage is the start page: what is due from the reader, what moved since
// the last look, and the posture matrix. It remembers the look.
func (s *Server) overviewPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	ctx, a := c.Request().Context(), access(c)
	f := readQuery(c)
	after := f.Text("after", maxSlug)
	if err := f.Err(); err != nil {
		return err
	}
	o, err := s.store.Overview(ctx, a, asOf(c), after, overviewSize)
	if err != nil {
		return err
	}
	if !asOf(c).Past && after == "" {
		if err := s.store.Looked(ctx, a); err != nil {
			return err
		}
	}
	return s.render(c, view.OverviewPage(s.page(c, "Overview", "Overview"), view.NewOverview(o, lib, a)))
}

// maxSlug is the most characters of a short name.
const maxSlug = 63

// mayEdit says whether the reader may change the inventory from this page: by
// role, and only at today.
func mayEdit(c echo.Context) bool {
	return access(c).May(posture.EditInventory) && !asOf(c).Past
}
