package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// targetFormRoutes record what a subject runs on.
func (s *Server) targetFormRoutes(e *echo.Echo) {
	for path, load := range map[string]placeOf{"/runtimes/:slug/target": s.unitPlace, "/dependencies/:slug/target": s.receiverPlace} {
		e.GET(path, func(c echo.Context) error { return s.targetPage(c, load) })
		e.POST(path, func(c echo.Context) error { return s.recordTarget(c, load) })
	}
}

func (s *Server) targetPage(c echo.Context, load placeOf) error {
	m, err := s.targetModel(c, load)
	if err != nil {
		return err
	}
	return s.render(c, view.TargetFormPage(s.formFrame(c, "Record a target", m.Place.Subject), m))
}

func (s *Server) recordTarget(c echo.Context, load placeOf) error {
	m, err := s.targetModel(c, load)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	subject := m.Place.Subject
	target := posture.Target{Identity: readIdentity(f), Reason: f.Text("reason", maxText)}
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			if target.Identity == m.Place.Target.Identity {
				return nil, &posture.Error{Kind: posture.Invalid, Text: "It says what the target in force says. Change what moved; there is nothing to record else."}
			}
			var err error
			m.Stale, err = s.store.PreviewTarget(ctx, a, subject.ID, target)
			return &posture.Preview{}, err
		},
		save: func() (string, error) {
			_, moves, err := s.store.RecordTarget(ctx, a, subject.ID, target)
			if err == nil {
				s.flash(c, "The target is recorded. "+view.MovedWords(moves))
			}
			return m.Place.Path(), err
		},
		page: func(d view.Draft) templ.Component {
			return view.TargetFormPage(s.formFrame(c, "Record a target", subject), m.With(d))
		},
	})
}

func (s *Server) targetModel(c echo.Context, load placeOf) (view.TargetForm, error) {
	place, err := editable(c, load)
	if err != nil {
		return view.TargetForm{}, err
	}
	ctx, a := c.Request().Context(), access(c)
	targets, err := s.store.Targets(ctx, a, place.Subject.ID, posture.AsOf{})
	if err != nil {
		return view.TargetForm{}, err
	}
	systems, err := s.store.CatalogueSystems(ctx, a, posture.AsOf{}, "", "")
	return view.NewTargetForm(place, targets, systems), err
}
