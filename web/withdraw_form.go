package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// withdrawRoutes are the form that takes a record out of what counts.
func (s *Server) withdrawRoutes(e *echo.Echo) {
	e.GET("/evidence/:id/withdraw", s.withdrawPage)
	e.POST("/evidence/:id/withdraw", s.withdraw)
}

func (s *Server) withdrawPage(c echo.Context) error {
	m, err := s.withdrawModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.WithdrawPage(s.recordFrame(c, "Withdraw", &m.Record), m))
}

func (s *Server) withdraw(c echo.Context) error {
	m, err := s.withdrawModel(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	reason := f.Text("reason", maxText)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) { return m.Effect, nil },
		save: func() (string, error) {
			moves, err := s.store.Withdraw(c.Request().Context(), access(c), m.Record.Row, reason)
			if err == nil {
				s.flash(c, m.Record.ID+" is withdrawn. "+view.MovedWords(moves))
			}
			return view.RecordPath(m.Record.ID), err
		},
		page: func(d view.Draft) templ.Component {
			return view.WithdrawPage(s.recordFrame(c, "Withdraw", &m.Record), m.With(d))
		},
	})
}

// withdrawModel loads the record and what withdrawing it does, or why it is not
// withdrawn.
func (s *Server) withdrawModel(c echo.Context) (view.WithdrawForm, error) {
	var m view.WithdrawForm
	if err := mayFill(c, posture.RecordEvidence); err != nil {
		return m, err
	}
	r, err := s.recordOf(c)
	if err != nil {
		return m, err
	}
	effect, err := s.store.PreviewWithdraw(c.Request().Context(), access(c), r.Row)
	if posture.KindOf(err) == posture.Invalid {
		return view.NewWithdrawForm(r, nil, ui.ErrorsOf(err).Of("reason")), nil
	}
	return view.NewWithdrawForm(r, &effect, ""), err
}
