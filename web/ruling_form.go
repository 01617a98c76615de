package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// rulingRoutes are the form that rules a statement out.
func (s *Server) rulingRoutes(e *echo.Echo) {
	e.GET("/rule-out", s.ruleOutPage)
	e.POST("/rule-out", s.ruleOut)
}

func (s *Server) ruleOutPage(c echo.Context) error {
	item, err := s.rulable(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RulingPage(s.rulingFrame(c, &item), view.NewRulingForm(item, s.now())))
}

func (s *Server) ruleOut(c echo.Context) error {
	item, err := s.rulable(c)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	record := posture.RulingRecord{
		Ruling:  posture.Ruling{Statement: item.Row.Statement, ExpiresAt: f.Date("expires_at")},
		Subject: item.Row.Subject, Reason: f.Text("reason", maxText),
	}
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewRuling(ctx, a, record)
			return view.Foretold(p, 'N', &item), err
		},
		save: func() (string, error) {
			saved, moves, err := s.store.RuleOut(ctx, a, record)
			if err == nil {
				s.flash(c, saved.ID+" is recorded. "+view.MovedWords(moves))
			}
			return view.StatementPath(item.Row.Subject, record.Statement), err
		},
		page: func(d view.Draft) templ.Component {
			return view.RulingPage(s.rulingFrame(c, &item), view.NewRulingForm(item, s.now()).With(d))
		},
	})
}

func (s *Server) rulable(c echo.Context) (posture.CellItem, error) {
	if err := mayFill(c, posture.RuleOut); err != nil {
		return posture.CellItem{}, err
	}
	return s.itemAsked(c)
}

func (s *Server) rulingFrame(c echo.Context, item *posture.CellItem) view.Page {
	return s.formFrame(c, "Rule out "+item.Row.Statement, item.Row.Subject)
}
