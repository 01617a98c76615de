package web

import (
	"maps"
	"net/url"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// evidenceListRoutes are the list of all records.
func (s *Server) evidenceListRoutes(e *echo.Echo) {
	e.GET("/evidence", s.evidencePage)
}

// recordsShown is how many records a page lists.
const recordsShown = 50

// evidencePage lists records, newest first, by the filters of the address.
func (s *Server) evidencePage(c echo.Context) error {
	q := readQuery(c)
	m := view.EvidenceList{Filter: readRecordFilter(q), Typed: q.values}
	m.MayRecord = mayFill(c, posture.RecordEvidence, posture.RecordClaims) == nil
	m.MayImport = mayFill(c, posture.RecordEvidence) == nil
	page := func(m view.EvidenceList) templ.Component {
		return view.EvidencePage(s.page(c, "Evidence", "Evidence"), m)
	}
	again := func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return page(m)
	}
	if err := q.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	ctx, a := c.Request().Context(), access(c)
	var err error
	if m.Filter.Subject != 0 {
		if m.Subject, err = s.store.Subject(ctx, a, m.Filter.Subject); err != nil {
			return err
		}
	}
	var next int64
	if m.Rows, next, err = s.store.Evidence(ctx, a, asOf(c), m.Filter); err != nil {
		return s.invalid(c, err, again)
	}
	m.Next = olderPage(c.QueryParams(), next)
	return s.render(c, page(m))
}

func readRecordFilter(q *form) posture.RecordFilter {
	return posture.RecordFilter{
		Subject: q.ID("subject"), Runtime: q.Text("runtime", maxName), Statement: q.Choice("statement", append(view.StatementIDs(), "")...),
		Kind: q.Choice("kind", append(view.KindNames(posture.Kinds()), "")...), Side: q.Choice("side", "against", "for", ""),
		Before: q.ID("before"), Limit: recordsShown,
	}
}

// olderPage gives the query of the page after the record before; empty at the
// end.
func olderPage(q url.Values, before int64) string {
	if before == 0 {
		return ""
	}
	next := maps.Clone(q)
	next.Set("before", strconv.FormatInt(before, 10))
	return "/evidence?" + next.Encode()
}
