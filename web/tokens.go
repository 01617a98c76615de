package web

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// tokenRoutes are the pages of the tokens by which programs sign in.
func (s *Server) tokenRoutes(e *echo.Echo) {
	e.GET("/admin/tokens", s.tokensPage)
	e.POST("/admin/tokens", s.createToken)
	e.POST("/admin/tokens/:id/revoke", s.revokeToken)
}

func (s *Server) tokensPage(c echo.Context) error {
	m, err := s.tokensModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.TokensPage(s.adminFrame(c, "Tokens"), m))
}

func (s *Server) tokensModel(c echo.Context) (m view.Tokens, err error) {
	ctx, a := c.Request().Context(), access(c)
	if m.Rows, err = s.store.Tokens(ctx, a); err != nil {
		return m, err
	}
	people, err := s.store.People(ctx, a)
	m.Makers = actorNames(people)
	return m, err
}

// createToken shows the secret in the answer itself: it is kept nowhere it
// could be shown from again.
func (s *Server) createToken(c echo.Context) error {
	f := readForm(c)
	name, days := f.Required("name", maxName), f.Int("days", 1, view.MostTokenDays)
	role, err := posture.ParseRole(f.Choice("role", view.TokenRoles()...))
	if formErr := f.Err(); formErr != nil {
		err = formErr
	}
	var made posture.Token
	var secret string
	if err == nil {
		made, secret, err = s.store.CreateToken(c.Request().Context(), access(c), name, role, days)
	}
	if err == nil {
		page := s.adminFrame(c, "New token", view.Crumb{Text: "Tokens", Href: "/admin/tokens"}, view.Crumb{Text: "New token"})
		return s.renderStatus(c, http.StatusCreated, view.SecretPage(page, made, secret))
	}
	m, listErr := s.tokensModel(c)
	if listErr != nil {
		return listErr
	}
	m.Name, m.Role, m.Days = f.Typed("name"), f.Typed("role"), f.Typed("days")
	return s.invalid(c, err, func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.TokensPage(s.adminFrame(c, "Tokens"), m)
	})
}

func (s *Server) revokeToken(c echo.Context) error {
	id, err := pathID(c, "token")
	if err != nil {
		return err
	}
	if err := s.store.RevokeToken(c.Request().Context(), access(c), id); err != nil {
		return err
	}
	s.flash(c, "The token is revoked. Requests with it are refused from now on.")
	return seeOther(c, "/admin/tokens")
}
