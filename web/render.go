package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/web/view"
)

// compressFrom is the size from which a page is worth compressing; keepBuffer
// the size up to which a buffer is kept for the next page.
const (
	compressFrom = 1400
	keepBuffer   = 1 << 20
)

func newBuffer() any { return new(bytes.Buffer) }

// newZip compresses fast: pages are made anew for every reader.
func newZip() any {
	w, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	return w
}

// page fills what every page carries. section is the Text of a place of the
// bar.
func (s *Server) page(c echo.Context, title, section string, crumbs ...view.Crumb) view.Page {
	d, _ := deskOf(c)
	p := s.pageOf(c, d, title, section)
	p.Crumbs = crumbs
	p.Flash = s.sessions.PopString(c.Request().Context(), sessionFlash)
	return p
}

func (s *Server) pageOf(c echo.Context, d desk, title, section string) view.Page {
	at := asOf(c)
	judged := at.At
	if judged.IsZero() {
		judged = s.now()
	}
	path, query := readAt(c.Request())
	return view.Page{
		Title:   title,
		Section: section,
		Person:  d.person,
		Nav:     view.NavCounts{Discrepancies: d.nav.OpenDiscrepancies},
		AsOf:    at,
		Now:     s.now(),
		Path:    path,
		Query:   query,
		Theme:   themeOf(c),
		Footer:  view.Footer{JudgedAt: judged, Library: s.library, Policy: s.policy},
	}
}

// readAt gives the address of the page that the reader sees: the one asked for,
// or, for a form that was sent, the page it stood on.
func readAt(r *http.Request) (path, query string) {
	if isSafe(r.Method) {
		return r.URL.Path, r.URL.RawQuery
	}
	from, err := url.Parse(r.Referer())
	if err != nil || from.Host != r.Host || here(from.Path, "") == "" {
		return "/", ""
	}
	return from.Path, from.RawQuery
}

// render answers 200 with a page.
func (s *Server) render(c echo.Context, page templ.Component) error {
	return s.renderStatus(c, http.StatusOK, page)
}

// renderStatus renders the whole page before the first byte is sent, so that
// an error on the way can still be answered.
func (s *Server) renderStatus(c echo.Context, status int, page templ.Component) error {
	b, _ := s.buffers.Get().(*bytes.Buffer)
	defer func() {
		if b.Cap() <= keepBuffer {
			s.buffers.Put(b)
		}
	}()
	b.Reset()
	if err := page.Render(c.Request().Context(), b); err != nil {
		return fmt.Errorf("render %s: %w", c.Path(), err)
	}
	w := c.Response()
	w.Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if b.Len() < compressFrom || !strings.Contains(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip") {
		w.WriteHeader(status)
		_, err := w.Write(b.Bytes())
		return err
	}
	w.Header().Set(echo.HeaderContentEncoding, "gzip")
	w.WriteHeader(status)
	return s.zip(w, b.Bytes())
}

func (s *Server) zip(w io.Writer, body []byte) error {
	z, _ := s.zips.Get().(*gzip.Writer)
	defer s.zips.Put(z)
	z.Reset(w)
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close()
}

// seeOther leads a browser to the page that shows what a POST did.
func seeOther(c echo.Context, address string) error {
	return c.Redirect(http.StatusSeeOther, address)
}

// here gives address if it is one of ours to go to, else fallback: a path of
// this server, never another site.
func here(address, fallback string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return fallback
	}
	u, err := url.Parse(address)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return fallback
	}
	return address
}
