package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/web/view"
	"demarc/web/view/ui"
)

func (s *Server) accountPage(c echo.Context) error {
	return s.render(c, view.AccountPage(s.accountFrame(c), ui.Errors{}))
}

func (s *Server) changePassword(c echo.Context) error {
	f := readForm(c)
	old, password := f.Secret("old"), f.Secret("password")
	err := f.Err()
	if err == nil {
		err = s.store.ChangePassword(c.Request().Context(), access(c), old, password)
	}
	if err != nil {
		return s.invalid(c, err, func(errs ui.Errors) templ.Component {
			return view.AccountPage(s.accountFrame(c), errs)
		})
	}
	if err := s.sessions.RenewToken(c.Request().Context()); err != nil {
		return err
	}
	s.flash(c, "Your password is changed.")
	return seeOther(c, "/account")
}

func (s *Server) accountFrame(c echo.Context) view.Page {
	p := s.page(c, "Your account", "")
	p.Timeless = true
	return p
}
