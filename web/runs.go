package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// runRoutes are the imports and their receipts.
func (s *Server) runRoutes(e *echo.Echo) {
	e.GET("/evidence/runs", s.runsPage)
	e.GET("/evidence/runs/:id", s.runPage)
	e.GET("/evidence/runs/:id/receipt.json", s.runReceipt)
}

// runsShown is how many imports a page lists; resultsShown how many results a
// receipt shows at once.
const (
	runsShown    = 50
	resultsShown = 50
)

// runsPage lists imports, newest first.
func (s *Server) runsPage(c echo.Context) error {
	f := readQuery(c)
	before := f.ID("before")
	m := view.Runs{MayImport: mayFill(c, posture.RecordEvidence) == nil, Later: before != 0}
	page := func() templ.Component {
		return view.RunsPage(s.page(c, "Imports", "Evidence", view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: "Imports"}), m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, func(ui.Errors) templ.Component { return page() })
	}
	var next int64
	var err error
	if m.Rows, next, err = s.store.Runs(c.Request().Context(), access(c), asOf(c), before, runsShown); err != nil {
		return err
	}
	if next != 0 {
		m.Older = strconv.FormatInt(next, 10)
	}
	return s.render(c, page())
}

// runPage shows the receipt of an import with a page of its results.
func (s *Server) runPage(c echo.Context) error {
	run, err := s.runOf(c)
	if err != nil {
		return err
	}
	f := readQuery(c)
	after := int(f.ID("after"))
	if err := f.Err(); err != nil {
		return posture.NotFoundError("result")
	}
	m := view.Run{Row: run, After: after}
	if m.Results, err = s.store.RunResults(c.Request().Context(), access(c), run.ID, after, resultsShown+1); err != nil {
		return err
	}
	if len(m.Results) > resultsShown {
		m.Results = m.Results[:resultsShown]
		m.Next = strconv.Itoa(m.Results[resultsShown-1].Seq)
	}
	page := s.page(c, "Run "+strconv.FormatInt(run.ID, 10)+", "+run.File, "Evidence", view.Crumb{Text: "Evidence", Href: "/evidence"},
		view.Crumb{Text: "Imports", Href: "/evidence/runs"}, view.Crumb{Text: "Run " + strconv.FormatInt(run.ID, 10)})
	return s.render(c, view.RunPage(page, m))
}

// runReceipt gives the receipt in the shape that “demarc import --json” prints.
func (s *Server) runReceipt(c echo.Context) error {
	run, err := s.runOf(c)
	if err != nil {
		return err
	}
	body, err := json.MarshalIndent(run.Receipt, "", "  ")
	if err != nil {
		return fmt.Errorf("write the receipt of run %d: %w", run.ID, err)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "private, no-store")
	h.Set(echo.HeaderContentDisposition, attachment("run-"+strconv.FormatInt(run.ID, 10)+"-receipt.json"))
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body)
}

// runOf loads the run of the address. On a day before it was imported there is
// none.
func (s *Server) runOf(c echo.Context) (posture.RunRow, error) {
	id, err := pathID(c, "run")
	if err != nil {
		return posture.RunRow{}, err
	}
	run, err := s.store.Run(c.Request().Context(), access(c), id)
	if at := asOf(c); err == nil && at.Past && run.RecordedAt.After(at.KnownAt()) {
		return posture.RunRow{}, posture.NotFoundError("run " + strconv.FormatInt(id, 10) + " on that day")
	}
	return run, err
}
