package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// acceptanceRoutes are the form by which a risk owner carries a risk.
func (s *Server) acceptanceRoutes(e *echo.Echo) {
	e.GET("/accept", s.acceptPage)
	e.POST("/accept", s.accept)
}

func (s *Server) acceptPage(c echo.Context) error {
	item, err := s.acceptable(c)
	if err != nil {
		return err
	}
	m := view.NewAcceptanceForm(item, access(c).Name, s.now())
	return s.render(c, view.AcceptancePage(s.acceptFrame(c, &item), m))
}

func (s *Server) accept(c echo.Context) error {
	item, err := s.acceptable(c)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	record := readAcceptance(f, &item)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewAcceptance(ctx, a, record)
			return view.Foretold(p, 'A', &item), err
		},
		save: func() (string, error) {
			saved, moves, err := s.store.Accept(ctx, a, record)
			if err == nil {
				s.flash(c, saved.ID+" is recorded. "+view.MovedWords(moves))
			}
			return view.StatementPath(item.Row.Subject, record.Statement), err
		},
		page: func(d view.Draft) templ.Component {
			return view.AcceptancePage(s.acceptFrame(c, &item), view.NewAcceptanceForm(item, a.Name, s.now()).With(d))
		},
	})
}

func (s *Server) acceptable(c echo.Context) (posture.CellItem, error) {
	if err := mayFill(c, posture.AcceptRisk); err != nil {
		return posture.CellItem{}, err
	}
	return s.itemAsked(c)
}

func (s *Server) acceptFrame(c echo.Context, item *posture.CellItem) view.Page {
	return s.formFrame(c, "Accept the risk on "+item.Row.Statement, item.Row.Subject)
}

// readAcceptance reads the form. An acceptance lapses as its day begins, in
// UTC.
func readAcceptance(f *form, item *posture.CellItem) posture.AcceptanceRecord {
	record := posture.AcceptanceRecord{
		Acceptance: posture.Acceptance{
			Statement: item.Row.Statement, Covers: f.TypedAll("covers"), Shortfall: f.Bool("shortfall"), ExpiresAt: f.Date("expires_at"),
		},
		Subject: item.Row.Subject, Condition: f.Text("condition", maxText), ReviewAt: f.Date("review_at"),
	}
	if severity, err := posture.ParseSeverity(f.Choice("severity", view.SeverityNames()...)); err == nil {
		record.Severity = severity
	}
	return record
}

// The most characters of a text and of a long one: the store's own limits are
// no higher.
const (
	maxText = 4000
	maxLong = 8000
)
