package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// setupPage is where a one-time link leads: to the first administrator's
// account, or to the password of an invited one.
func (s *Server) setupPage(c echo.Context) error {
	m, err := s.setupModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.SetupPage(m))
}

func (s *Server) setupModel(c echo.Context) (view.Setup, error) {
	token := c.Param("token")
	kind, email, err := s.store.SetupOpen(c.Request().Context(), token)
	if err != nil {
		return view.Setup{}, err
	}
	return view.Setup{Token: token, First: kind == "setup", Email: email, Theme: themeOf(c)}, nil
}

func (s *Server) setUp(c echo.Context) error {
	m, err := s.setupModel(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	account := store.NewAccount{Email: m.Email, Password: f.Secret("password")}
	if m.First {
		m.Email, m.Name = f.Required("email", maxAddress), f.Required("name", maxName)
		account.Email, account.Name = m.Email, m.Name
	}
	again := func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.SetupPage(m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	ctx := c.Request().Context()
	person, err := s.store.SetUp(ctx, m.Token, account, requestID(c))
	if err != nil {
		return s.invalid(c, err, again)
	}
	if err := s.signInAs(ctx, person.ID); err != nil {
		return err
	}
	return seeOther(c, "/")
}
