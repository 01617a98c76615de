package web

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/labstack/echo/v4"

	"demarc/static"
	"demarc/store/posture"
	"demarc/web/api"
)

// contentPolicy allows what the pages use and nothing else: no inline script,
// no style attribute, nothing from elsewhere.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
	"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The most bytes that a request may carry.
const (
	maxUpload = 12 << 20
	maxForm   = 1 << 20
)

// identified gives the request an id of our own; one that a client sends is
// not trusted to be unique.
func (s *Server) identified(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := rand.Text()[:16]
		c.Set(keyRequest, id)
		c.Response().Header().Set(echo.HeaderXRequestID, id)
		return next(c)
	}
}

// logged writes one line a request. It answers errors first, so that the line
// carries the status the client got.
func (s *Server) logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := s.clock()
		if err := next(c); err != nil {
			s.fail(c, err)
		}
		r, w := c.Request(), c.Response()
		level := slog.LevelInfo
		attrs := []slog.Attr{
			slog.String("request", requestID(c)),
			slog.String("method", r.Method),
			slog.String("path", loggedPath(r.URL.Path)),
			slog.Int("status", w.Status),
			slog.Int64("bytes", w.Size),
			slog.Duration("took", s.clock().Sub(begun)),
		}
		if d, ok := deskOf(c); ok {
			attrs = append(attrs, slog.String("actor", d.access.Actor))
		}
		switch fault, _ := c.Get(keyFault).(error); {
		case fault != nil:
			level = slog.LevelError
			attrs = append(attrs, slog.Any("error", fault))
		case isQuiet(r.URL.Path):
			level = slog.LevelDebug
		}
		s.log.LogAttrs(r.Context(), level, "request", attrs...)
		return nil
	}
}

// loggedPath leaves out the secret of a set-up link.
func loggedPath(path string) string {
	if strings.HasPrefix(path, "/setup/") {
		return "/setup/…"
	}
	return path
}

// isQuiet says whether a request is of no interest unless it fails.
func isQuiet(path string) bool {
	return path == "/healthz" || path == "/readyz" || path == "/metrics" || strings.HasPrefix(path, static.Prefix)
}

// panicked is a panic of a handler, kept as an error with its stack.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v\n%s", p.value, p.stack) }

// recovered turns a panic into an error; net/http's own way to abort passes.
func (s *Server) recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if cause, ok := v.(error); ok && errors.Is(cause, http.ErrAbortHandler) {
				panic(v)
			}
			err = &panicked{value: v, stack: debug.Stack()}
		}()
		return next(c)
	}
}

// guarded sets the headers that tell a browser what it may do with the answer.
func (s *Server) guarded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set(echo.HeaderContentSecurityPolicy, contentPolicy)
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		h.Set(echo.HeaderXFrameOptions, "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if s.secure {
			h.Set(echo.HeaderStrictTransportSecurity, "max-age=31536000")
		}
		return next(c)
	}
}

// bounded keeps a request's body within its limit: an upload's or a form's.
func (s *Server) bounded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		limit := int64(maxForm)
		if strings.HasPrefix(r.Header.Get(echo.HeaderContentType), echo.MIMEMultipartForm) {
			limit = maxUpload
		}
		if r.ContentLength > limit {
			return &http.MaxBytesError{Limit: limit}
		}
		r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, limit)
		return next(c)
	}
}

// sameOrigin refuses a change that another site's page asks for.
func (s *Server) sameOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := s.origin.Check(c.Request()); err != nil {
			return &posture.Error{
				Kind: posture.Forbidden,
				Text: "This change was asked for by a page of another site. Open the form here and send it again.",
				Err:  err,
			}
		}
		return next(c)
	}
}

// isOpen says whether an address is read without a session. Programs sign in
// by token.
func isOpen(path string) bool {
	return isQuiet(path) || api.Holds(path) || path == "/sign-in" || strings.HasPrefix(path, "/setup/")
}

// access loads who makes the request and what stands in the bar, in one call of
// the store; nobody signed in means the sign-in page.
func (s *Server) access(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if isOpen(c.Request().URL.Path) {
			return next(c)
		}
		ctx := c.Request().Context()
		id, err := s.signedIn(ctx)
		if err != nil {
			return err
		}
		if id == 0 {
			return &posture.Error{Kind: posture.SignInNeeded, Text: "Sign in first."}
		}
		a, person, nav, err := s.store.Desk(ctx, id, requestID(c))
		if err != nil {
			return err
		}
		c.Set(keyDesk, desk{access: a, person: person, nav: nav})
		return next(c)
	}
}
