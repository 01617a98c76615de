package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// closureRoutes are the form that closes a negative.
func (s *Server) closureRoutes(e *echo.Echo) {
	e.GET("/evidence/:id/close", s.closePage)
	e.POST("/evidence/:id/close", s.closeRecord)
}

func (s *Server) closePage(c echo.Context) error {
	m, err := s.closureModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.ClosurePage(s.recordFrame(c, "Close", &m.Record), m))
}

func (s *Server) closeRecord(c echo.Context) error {
	m, err := s.closureModel(c)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	record := readClosure(f, &m)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewClosure(ctx, a, record)
			return view.Foretold(p, 'K', nil), err
		},
		save: func() (string, error) {
			saved, moves, err := s.store.CloseEvidence(ctx, a, record)
			if err == nil {
				s.flash(c, saved.ID+" closes "+m.Record.ID+". "+view.MovedWords(moves))
			}
			return view.RecordPath(m.Record.ID), err
		},
		page: func(d view.Draft) templ.Component {
			return view.ClosurePage(s.recordFrame(c, "Close", &m.Record), m.With(d))
		},
	})
}

// closureModel loads the negative, the tests of its statement and the targets
// that a fix may have been made on. The kind of closure stands in the address.
func (s *Server) closureModel(c echo.Context) (view.ClosureForm, error) {
	if err := mayFill(c, posture.CloseNegatives); err != nil {
		return view.ClosureForm{}, err
	}
	kind, err := posture.ParseClosureKind(c.QueryParam("kind"))
	if err != nil {
		kind = posture.FixedVerified
	}
	r, err := s.recordOf(c)
	if err != nil {
		return view.ClosureForm{}, err
	}
	ctx, a := c.Request().Context(), access(c)
	tests, _, err := s.store.Evidence(ctx, a, posture.AsOf{}, posture.RecordFilter{
		Subject: r.Subject.ID, Statement: r.Statement, Kind: posture.KindTest.String(), Limit: testsLooked,
	})
	if err != nil {
		return view.ClosureForm{}, err
	}
	targets, err := s.store.Targets(ctx, a, r.Subject.ID, posture.AsOf{})
	return view.NewClosureForm(r, kind, tests, targets, a.Name), err
}

// testsLooked is among how many of the newest tests of a statement those are
// looked for that verify a fix.
const testsLooked = 500

func readClosure(f *form, m *view.ClosureForm) posture.ClosureRecord {
	record := posture.ClosureRecord{
		Closure: posture.Closure{Closes: m.Record.ID, Kind: m.Kind},
		Subject: m.Record.Subject,
	}
	switch m.Kind {
	case posture.FixedVerified:
		record.Fix, record.Evidence = f.Text("fix", maxText), f.TypedAll("evidence")
		record.Identity = m.BoundTo(f.ID("identity"))
	case posture.ClosureNotApplicable:
		record.Justification = f.Choice("justification", append(posture.Justifications(), "")...)
		record.Text = f.Text("text", maxText)
	case posture.TestInvalid:
		record.Text = f.Text("text", maxText)
	}
	return record
}
