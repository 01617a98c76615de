package web

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
)

// revokeRoutes are the form that ends a closure, an acceptance or a ruling. Its
// address carries subject and statement, by which its effect is judged.
func (s *Server) revokeRoutes(e *echo.Echo) {
	e.GET("/revoke/:id", s.revokePage)
	e.POST("/revoke/:id", s.revoke)
}

// revokers say by which action each kind of decision is made and ended.
var revokers = map[string]posture.Action{
	"K": posture.CloseNegatives,
	"A": posture.AcceptRisk,
	"N": posture.RuleOut,
}

func (s *Server) revokePage(c echo.Context) error {
	m, err := s.revokeModel(c)
	if err != nil {
		return err
	}
	return s.render(c, view.RevokePage(s.revokeFrame(c, &m), m))
}

func (s *Server) revoke(c echo.Context) error {
	m, err := s.revokeModel(c)
	if err != nil {
		return err
	}
	f := readForm(c)
	reason := f.Text("reason", maxText)
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) { return m.Effect, nil },
		save: func() (string, error) {
			moves, err := s.store.Revoke(c.Request().Context(), access(c), m.ID, reason)
			if err == nil {
				s.flash(c, m.ID+" is revoked. "+view.MovedWords(moves))
			}
			return view.StatementPath(m.Item.Row.Subject, m.Item.Row.Statement), err
		},
		page: func(d view.Draft) templ.Component { return view.RevokePage(s.revokeFrame(c, &m), m.With(d)) },
	})
}

// revokeModel finds the decision on the statement that the address names, and
// what ending it now would do.
func (s *Server) revokeModel(c echo.Context) (view.RevokeForm, error) {
	id := c.Param("id")
	letter, _, _ := strings.Cut(id, "-")
	action, known := revokers[letter]
	if !known {
		return view.RevokeForm{}, posture.NotFoundError("decision")
	}
	if err := mayFill(c, action); err != nil {
		return view.RevokeForm{}, err
	}
	item, err := s.itemAsked(c)
	if err != nil {
		return view.RevokeForm{}, err
	}
	now := s.now()
	facts, found := revoked(&item.Facts, id, now)
	if !found {
		return view.RevokeForm{}, posture.NotFoundError("decision " + id + " in force")
	}
	before, after := posture.Judge(&item.Facts, now, now), posture.Judge(&facts, now, now)
	return view.NewRevokeForm(item, id, foreseen(&item, &before, &after, id+" revoked", now)), nil
}

// revoked gives the facts as they would be with a decision ended now; found
// says whether there is such a decision, not ended yet.
func revoked(facts *posture.Facts, id string, now time.Time) (after posture.Facts, found bool) {
	after = *facts
	after.Closures = slices.Clone(facts.Closures)
	for i := range after.Closures {
		if k := &after.Closures[i]; k.ID == id && k.RevokedAt.IsZero() {
			k.RevokedAt, found = now, true
		}
	}
	after.Acceptances = slices.Clone(facts.Acceptances)
	for i := range after.Acceptances {
		if k := &after.Acceptances[i]; k.ID == id && k.RevokedAt.IsZero() {
			k.RevokedAt, found = now, true
		}
	}
	after.Rulings = slices.Clone(facts.Rulings)
	for i := range after.Rulings {
		if k := &after.Rulings[i]; k.ID == id && (k.ExpiresAt.IsZero() || k.ExpiresAt.After(now)) {
			k.ExpiresAt, found = now, true
		}
	}
	return after, found
}

// foreseen words the step from one verdict to the next as an effect.
func foreseen(item *posture.CellItem, before, after *posture.Verdict, cause string, now time.Time) *posture.Preview {
	subject, statement := item.Row.Subject, item.Row.Statement
	if before.Label == after.Label {
		return &posture.Preview{Notes: []string{"Nothing moves: " + posture.Holds(statement, after) + "."}}
	}
	return &posture.Preview{Moves: []posture.Movement{{
		Subject: subject, On: subject.Slug, Kind: subject.Kind.String(), Statement: statement,
		From: before.Label.String(), To: after.Label.String(), Because: posture.Because(cause, before, after), At: now,
	}}}
}

func (s *Server) revokeFrame(c echo.Context, m *view.RevokeForm) view.Page {
	return s.formFrame(c, "Revoke "+m.ID, m.Item.Row.Subject)
}
