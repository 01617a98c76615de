package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

func (s *Server) portfoliosPage(c echo.Context) error {
	if err := access(c).Need(posture.ManagePeople); err != nil {
		return err
	}
	m, err := s.portfoliosModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.PortfoliosPage(s.adminFrame(c, "Portfolios"), m))
}

func (s *Server) createPortfolio(c echo.Context) error {
	f := readForm(c)
	p := posture.Portfolio{Slug: f.Required("slug", maxName), Name: f.Required("name", maxName)}
	err := f.Err()
	if err == nil {
		_, err = s.store.CreatePortfolio(c.Request().Context(), access(c), p)
	}
	if err == nil {
		s.flash(c, "Portfolio "+p.Name+" made.")
		return seeOther(c, "/admin/portfolios")
	}
	m, listErr := s.portfoliosModel(c)
	if listErr != nil {
		return listErr
	}
	m.Typed = posture.Portfolio{Slug: f.Typed("slug"), Name: f.Typed("name")}
	return s.invalid(c, err, func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.PortfoliosPage(s.adminFrame(c, "Portfolios"), m)
	})
}

// removeSample removes the sample portfolio with all that is in it.
func (s *Server) removeSample(c echo.Context) error {
	id, err := pathID(c, "portfolio")
	if err != nil {
		return err
	}
	if err := s.store.RemoveSample(c.Request().Context(), access(c), id); err != nil {
		return err
	}
	s.flash(c, "The sample is removed. Its audit rows stay.")
	return seeOther(c, "/admin/portfolios")
}

func (s *Server) portfoliosModel(c echo.Context) (view.PortfoliosModel, error) {
	list, err := s.store.Portfolios(c.Request().Context(), access(c))
	return view.PortfoliosModel{Portfolios: list}, err
}
