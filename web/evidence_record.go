package web

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// evidenceRecordRoutes are one record of evidence and the bytes kept of what
// was seen.
func (s *Server) evidenceRecordRoutes(e *echo.Echo) {
	e.GET("/evidence/:id", s.evidenceRecordPage)
	e.GET("/artefacts/:sha256", s.artefact)
}

// evidenceRecordPage shows a record whole and what it does to its statement.
func (s *Server) evidenceRecordPage(c echo.Context) error {
	r, err := s.recordOf(c)
	if err != nil {
		return err
	}
	item, err := s.store.StatementPage(c.Request().Context(), access(c), asOf(c), r.Subject.ID, r.Statement)
	if err != nil {
		return err
	}
	o := asOf(c)
	if o.At.IsZero() {
		o.At = s.now()
	}
	m := view.NewEvidenceRecord(r, item, access(c), o)
	page := s.page(c, r.ID, "Evidence", view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: r.ID})
	return s.render(c, view.EvidenceRecordPage(page, m))
}

// recordOf loads the record of the address, such as E-0467.
func (s *Server) recordOf(c echo.Context) (posture.Record, error) {
	id := c.Param("id")
	digits, found := strings.CutPrefix(id, "E-")
	row, err := strconv.ParseInt(digits, 10, 64)
	if !found || err != nil || row <= 0 {
		return posture.Record{}, posture.NotFoundError("evidence " + strings.ToValidUTF8(id, "?"))
	}
	return s.store.EvidenceByID(c.Request().Context(), access(c), asOf(c), row)
}

// recordFrame is the frame of a form about a record.
func (s *Server) recordFrame(c echo.Context, what string, r *posture.Record) view.Page {
	return s.page(c, what+" "+r.ID, "Evidence",
		view.Crumb{Text: "Evidence", Href: "/evidence"}, view.Crumb{Text: r.ID, Href: view.RecordPath(r.ID)}, view.Crumb{Text: what})
}

// artefact sends the kept bytes of a digest as a file to save: a browser must
// never open what somebody uploaded as a page of ours.
func (s *Server) artefact(c echo.Context) error {
	w := c.Response()
	return s.store.Artefact(c.Request().Context(), access(c), c.Param("sha256"), func(name, _ string, size int64) error {
		h := w.Header()
		h.Set(echo.HeaderContentType, echo.MIMEOctetStream)
		h.Set(echo.HeaderContentDisposition, attachment(name))
		h.Set(echo.HeaderContentLength, strconv.FormatInt(size, 10))
		h.Set("Cache-Control", "private, no-store")
		w.WriteHeader(http.StatusOK)
		return nil
	}, w)
}

// attachment names a file to save.
func attachment(name string) string {
	if v := mime.FormatMediaType("attachment", map[string]string{"filename": name}); name != "" && v != "" {
		return v
	}
	return "attachment"
}
