package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// fail answers a request that ended in an error. It is the only place that
// turns an error into a status. An answer that has begun is left alone, and so
// is a client that has gone.
func (s *Server) fail(c echo.Context, err error) {
	if c.Response().Committed {
		if !isGone(c, err) {
			c.Set(keyFault, err)
		}
		return
	}
	if isGone(c, err) {
		c.Response().Status = statusGone
		return
	}
	if forPrograms(c.Request()) {
		if fault := s.programs.Answer(c, err); fault != nil {
			c.Set(keyFault, fault)
		}
		return
	}
	f := failureOf(err)
	switch f.Status {
	case http.StatusInternalServerError:
		c.Set(keyFault, err)
		s.sendBroken(c)
	case http.StatusSeeOther:
		s.sendToSignIn(c)
	default:
		s.sendFailure(c, f)
	}
}

// conflicted answers that somebody saved the record in the meantime, with the
// page on which the two are put together.
func (s *Server) conflicted(c echo.Context, page templ.Component) error {
	return s.renderStatus(c, http.StatusConflict, page)
}

// statusGone is what the log says of a client that left before its answer. It
// is never sent.
const statusGone = 499

func isGone(c echo.Context, err error) bool {
	return errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil
}

// failureOf gives the status and the words of an error.
func failureOf(err error) view.Failure {
	var tooLarge *http.MaxBytesError
	var route *echo.HTTPError
	var ours *posture.Error
	switch {
	case errors.As(err, &ours):
		return ourFailure(ours)
	case errors.As(err, &tooLarge):
		return view.Failure{
			Status: http.StatusRequestEntityTooLarge,
			Title:  "This is more than a request may carry",
			Text:   "A form may carry 1 MiB and an upload 12 MiB. Larger results files go in with “demarc import”.",
		}
	case errors.As(err, &route):
		return routeFailure(route)
	default:
		return view.Failure{Status: http.StatusInternalServerError}
	}
}

func ourFailure(e *posture.Error) view.Failure {
	switch e.Kind {
	case posture.NotFound:
		return view.Failure{Status: http.StatusNotFound, Title: "Nothing at this address", Text: e.Text}
	case posture.Forbidden:
		return view.Failure{Status: http.StatusForbidden, Title: "This is not open to you", Text: e.Text}
	case posture.Conflicting:
		return view.Failure{Status: http.StatusConflict, Title: "Nothing was changed", Text: e.Text}
	case posture.Invalid:
		return view.Failure{Status: http.StatusUnprocessableEntity, Title: "Nothing was changed", Text: e.Error()}
	case posture.SignInNeeded:
		return view.Failure{Status: http.StatusSeeOther}
	case posture.Internal:
	}
	return view.Failure{Status: http.StatusInternalServerError}
}

// routeFailure words what echo says of an address or a method.
func routeFailure(e *echo.HTTPError) view.Failure {
	switch e.Code {
	case http.StatusNotFound:
		return view.Failure{Status: e.Code, Title: "Nothing at this address", Text: "Check the address. Records are never deleted, so one that existed still has its page."}
	case http.StatusMethodNotAllowed:
		return view.Failure{Status: e.Code, Title: "This address takes no such request", Text: "Open the page and use its form."}
	default:
		return view.Failure{Status: http.StatusInternalServerError}
	}
}

// invalid sends a form back with what was typed and what is wrong with it: 422
// for an Invalid error. Any other error goes on to fail.
func (s *Server) invalid(c echo.Context, err error, build func(ui.Errors) templ.Component) error {
	if posture.KindOf(err) != posture.Invalid {
		return err
	}
	return s.renderStatus(c, http.StatusUnprocessableEntity, build(ui.ErrorsOf(err)))
}

// sendFailure answers with the page of an error that is meant to be read.
func (s *Server) sendFailure(c echo.Context, f view.Failure) {
	page := view.BareFailure(f, themeOf(c))
	if d, ok := deskOf(c); ok {
		page = view.FailurePage(s.pageOf(c, d, f.Title, ""), f)
	}
	if err := s.renderStatus(c, f.Status, page); err != nil {
		c.Set(keyFault, err)
		if !c.Response().Committed {
			s.sendBroken(c)
		}
	}
}

// sendToSignIn leads to the sign-in page and from there back to a page that
// can be read again.
func (s *Server) sendToSignIn(c echo.Context) {
	r := c.Request()
	address := "/sign-in"
	if r.Method == http.MethodGet && r.URL.RequestURI() != "/" {
		address += "?next=" + url.QueryEscape(r.URL.RequestURI())
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	if r.Header.Get("HX-Request") != "" {
		c.Response().Header().Set("HX-Redirect", address)
	}
	c.Response().Header().Set(echo.HeaderLocation, address)
	c.Response().WriteHeader(http.StatusSeeOther)
}

// brokenPage is the page of a 500, in two halves around the request's id.
type brokenPage struct{ before, after []byte }

// requestMark stands in the page where the request's id goes.
const requestMark = "REQUEST-ID"

// newBrokenPage renders the page of a 500 once. It cannot fail on a page of
// constants; were it to, the server must not start.
func newBrokenPage() brokenPage {
	var b bytes.Buffer
	if err := view.Broken(requestMark).Render(context.Background(), &b); err != nil {
		panic(err)
	}
	before, after, _ := bytes.Cut(b.Bytes(), []byte(requestMark))
	return brokenPage{before: before, after: after}
}

// sendBroken answers with the 500 page: the request's id and nothing internal.
func (s *Server) sendBroken(c echo.Context) {
	w := c.Response()
	w.Header().Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusInternalServerError)
	for _, part := range [][]byte{s.broken.before, []byte(requestID(c)), s.broken.after} {
		if _, err := w.Write(part); err != nil {
			return
		}
	}
}
