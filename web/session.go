package web

import (
	"context"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"
)

// How long a session lasts: in all, and without a request. It is touched at
// most once in touchEvery, so that reading a page does not write.
const (
	sessionLife = 7 * 24 * time.Hour
	sessionIdle = 12 * time.Hour
	touchEvery  = 10 * time.Minute
)

// The keys of a session. Its values are numbers and text: what a session
// holds must be readable by any version of the server.
const (
	sessionPerson = "person"
	sessionSeen   = "seen"
	sessionFlash  = "flash"
)

// newSessions builds the manager by hand: scs.New would start a memory store
// with a goroutine of its own.
func newSessions(c Config) *scs.SessionManager {
	m := &scs.SessionManager{
		Lifetime: sessionLife,
		Store:    c.Store.Sessions(),
		Codec:    scs.GobCodec{},
		Cookie: scs.SessionCookie{
			Name:     "demarc",
			Path:     "/",
			HttpOnly: true,
			SameSite: http.SameSiteLaxMode,
			Secure:   c.Secure,
			Persist:  true,
		},
	}
	if c.Secure {
		m.Cookie.Name = "__Host-demarc"
	}
	return m
}

// session loads the session of the cookie and, before the answer's first byte,
// keeps what changed.
func (s *Server) session(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if isQuiet(r.URL.Path) || forPrograms(r) {
			return next(c)
		}
		token := ""
		if cookie, err := r.Cookie(s.sessions.Cookie.Name); err == nil {
			token = cookie.Value
		}
		ctx, err := s.sessions.Load(r.Context(), token)
		if err != nil {
			return err
		}
		c.SetRequest(r.WithContext(ctx))
		c.Response().Before(func() { s.keepSession(ctx, c) })
		return next(c)
	}
}

// keepSession stores the session and sets its cookie. It runs while the answer
// is on its way: a failure can only be logged, and the reader will have to
// sign in again.
func (s *Server) keepSession(ctx context.Context, c echo.Context) {
	switch s.sessions.Status(ctx) {
	case scs.Modified:
		token, expiry, err := s.sessions.Commit(ctx)
		if err != nil {
			c.Set(keyFault, err)
			return
		}
		s.sessions.WriteSessionCookie(ctx, c.Response(), token, expiry)
	case scs.Destroyed:
		s.sessions.WriteSessionCookie(ctx, c.Response(), "", time.Time{})
	case scs.Unmodified:
	}
}

// signedIn gives the id of the person, 0 when nobody is signed in or the
// session lay idle for too long, which ends it.
func (s *Server) signedIn(ctx context.Context) (int64, error) {
	id := s.sessions.GetInt64(ctx, sessionPerson)
	if id == 0 {
		return 0, nil
	}
	idle := s.now().Sub(time.Unix(s.sessions.GetInt64(ctx, sessionSeen), 0))
	if idle > sessionIdle {
		return 0, s.sessions.Destroy(ctx)
	}
	if idle > touchEvery {
		s.sessions.Put(ctx, sessionSeen, s.now().Unix())
	}
	return id, nil
}

// signInAs begins a session for the person under a new token.
func (s *Server) signInAs(ctx context.Context, person int64) error {
	if err := s.sessions.RenewToken(ctx); err != nil {
		return err
	}
	s.sessions.SetDeadline(ctx, s.now().Add(sessionLife))
	s.sessions.Put(ctx, sessionPerson, person)
	s.sessions.Put(ctx, sessionSeen, s.now().Unix())
	return nil
}

// flash says on the next page what the change did.
func (s *Server) flash(c echo.Context, text string) {
	s.sessions.Put(c.Request().Context(), sessionFlash, text)
}
