package web

import (
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/posture/library"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// discrepancyRoutes are the pages of what was seen to differ from what is
// required.
func (s *Server) discrepancyRoutes(e *echo.Echo) {
	e.GET("/discrepancies", s.discrepanciesPage)
	e.GET("/discrepancies/:id", s.discrepancyPage)
}

// discrepanciesSize is how many discrepancies a page shows.
const discrepanciesSize = 50

// discrepanciesPage lists one kind of discrepancy, newest first. The kind whose
// collection has not begun is not asked for.
func (s *Server) discrepanciesPage(c echo.Context) error {
	ctx, a := c.Request().Context(), access(c)
	f := readQuery(c)
	m := view.Discrepancies{
		Typed:   c.QueryParams(),
		Missing: f.Choice("kind", "", posture.BoundaryFailed, posture.EvidenceMissing) == posture.EvidenceMissing,
		State:   f.Choice("state", "", "open", "closed", "all"),
	}
	filter := posture.DiscrepancyFilter{
		Kind: posture.BoundaryFailed, Open: openOf(m.State), Subject: f.ID("subject"), Owner: f.Text("owner", maxName),
		Before: f.ID("before"), Limit: discrepanciesSize,
	}
	page := func() templ.Component {
		return view.DiscrepanciesPage(s.page(c, "Discrepancies", "Discrepancies"), m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			m.Errors = errs
			return page()
		})
	}
	if m.Missing {
		return s.render(c, page())
	}
	var next int64
	var err error
	if m.Rows, next, err = s.store.Discrepancies(ctx, a, asOf(c), filter); err != nil {
		return err
	}
	if m.Subjects, err = s.store.Subjects(ctx, a); err != nil {
		return err
	}
	if next != 0 {
		m.Older = strconv.FormatInt(next, 10)
	}
	return s.render(c, page())
}

// openOf gives which discrepancies a state asks for: the open ones unless said
// otherwise, nil for all.
func openOf(state string) *bool {
	open := state != "closed"
	if state == "all" {
		return nil
	}
	return &open
}

// discrepancyPage shows one discrepancy with its sightings.
func (s *Server) discrepancyPage(c echo.Context) error {
	lib, err := library.Load()
	if err != nil {
		return err
	}
	id, err := pathID(c, "discrepancy")
	if err != nil {
		return err
	}
	a := access(c)
	d, err := s.store.Discrepancy(c.Request().Context(), a, asOf(c), id)
	if err != nil {
		return err
	}
	m := view.NewDiscrepancy(d, lib)
	m.MayClose, m.MayAccept = a.May(posture.CloseNegatives), a.May(posture.AcceptRisk)
	page := s.page(c, m.Title(), "Discrepancies", view.Crumb{Text: "Discrepancies", Href: "/discrepancies"}, view.Crumb{Text: m.Name()})
	return s.render(c, view.DiscrepancyPage(page, m))
}
