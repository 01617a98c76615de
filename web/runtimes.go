package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// runtimesSize is how many rows a list of runtimes or components shows.
const runtimesSize = 50

// runtimesPage lists runtimes by short name, with the filters of the address.
func (s *Server) runtimesPage(c echo.Context) error {
	f := readQuery(c)
	m := view.Runtimes{Typed: c.QueryParams(), MayEdit: mayEdit(c)}
	m.Filter = posture.RuntimeFilter{
		Find: f.Text("find", maxName), Owner: f.Text("owner", maxName),
		Stage:   f.Choice("stage", append([]string{""}, view.StageNames()...)...),
		Reading: f.Choice("reading", append([]string{""}, view.ReadingNames()...)...),
		Retired: f.Choice("retired", "", "yes") == "yes",
		After:   f.Text("after", maxSlug), Limit: runtimesSize,
	}
	page := func() templ.Component { return view.RuntimesPage(s.page(c, "Runtimes", "Runtimes"), m) }
	if err := f.Err(); err != nil {
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			m.Errors = errs
			return page()
		})
	}
	var err error
	if m.List, err = s.store.Runtimes(c.Request().Context(), access(c), asOf(c), m.Filter); err != nil {
		return err
	}
	return s.render(c, page())
}
