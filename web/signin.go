package web

import (
	"net/http"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/web/view"
	"demarc/web/view/ui"
)

// The most characters that a name, an address and a password may have before
// the store looks at them.
const (
	maxName    = 120
	maxAddress = 254
)

func (s *Server) signInPage(c echo.Context) error {
	next := here(c.QueryParam("next"), "/")
	id, err := s.signedIn(c.Request().Context())
	if err != nil {
		return err
	}
	if id != 0 {
		return seeOther(c, next)
	}
	return s.render(c, view.SignInPage(view.SignIn{Next: next, Theme: themeOf(c)}))
}

func (s *Server) signIn(c echo.Context) error {
	f := readForm(c)
	m := view.SignIn{Email: f.Required("email", maxAddress), Next: here(f.Typed("next"), "/"), Theme: themeOf(c)}
	password := f.Secret("password")
	again := func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.SignInPage(m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	ctx := c.Request().Context()
	person, err := s.store.SignIn(ctx, m.Email, password, requestID(c))
	if err != nil {
		return s.invalid(c, err, again)
	}
	if err := s.signInAs(ctx, person.ID); err != nil {
		return err
	}
	return seeOther(c, m.Next)
}

func (s *Server) signOut(c echo.Context) error {
	if err := s.sessions.Destroy(c.Request().Context()); err != nil {
		return err
	}
	return seeOther(c, "/sign-in")
}

// themeCookie keeps the reader's theme; it holds nothing else, so it is set
// for whoever asks.
const themeCookie = "theme"

// themeOf gives "light", "dark" or "" for the system's.
func themeOf(c echo.Context) string {
	cookie, err := c.Cookie(themeCookie)
	if err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return ""
}

func (s *Server) chooseTheme(c echo.Context) error {
	f := readForm(c)
	theme := f.Choice("theme", "light", "dark", "system")
	if err := f.Err(); err != nil {
		return err
	}
	cookie := &http.Cookie{ //nolint:gosec // Secure is off only where the operator serves plain http, as for the session
		Name: themeCookie, Value: theme, Path: "/", MaxAge: int((365 * 24 * time.Hour).Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
	if theme == "system" {
		cookie.Value, cookie.MaxAge = "", -1
	}
	c.SetCookie(cookie)
	return seeOther(c, here(f.Typed("back"), "/account"))
}
