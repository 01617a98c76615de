package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// decision is a form of two steps: filled in, it shows what it would do; when
// that is confirmed it is done.
type decision struct {
	// preview gives the effect and saves nothing.
	preview func() (*posture.Preview, error)
	// save does it and gives the address to go on to.
	save func() (address string, err error)
	// page is the form as it stands.
	page func(view.Draft) templ.Component
	// conflict answers a save that started from a version no longer in force;
	// nil where the form starts from none.
	conflict func(error) error
}

// decide answers a POST of a form of two steps. What was typed travels in
// hidden fields between them, so that what is confirmed is what was shown.
func (s *Server) decide(c echo.Context, f *form, d decision) error {
	again := func(errs ui.Errors) templ.Component { return d.page(view.Draft{Typed: f.values, Errors: errs}) }
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	switch f.Typed(view.ConfirmField) {
	case view.ChangeIt:
		return s.render(c, again(ui.Errors{}))
	case view.ConfirmIt:
		address, err := d.save()
		if err != nil {
			return s.refused(c, err, d, again)
		}
		return seeOther(c, address)
	default:
		effect, err := d.preview()
		if err != nil {
			return s.refused(c, err, d, again)
		}
		return s.render(c, d.page(view.Draft{Typed: f.values, Effect: effect}))
	}
}

func (s *Server) refused(c echo.Context, err error, d decision, again func(ui.Errors) templ.Component) error {
	if isConflict(err) && d.conflict != nil {
		return d.conflict(err)
	}
	return s.invalid(c, err, again)
}

// mayFill says who may fill in a form: those whose role allows one of the
// actions, and today only.
func mayFill(c echo.Context, actions ...posture.Action) error {
	a := access(c)
	var err error
	for _, action := range actions {
		if err = a.Need(action); err == nil {
			break
		}
	}
	if err == nil && asOf(c).Past {
		err = &posture.Error{Kind: posture.Conflicting, Text: "A past day can be read, not changed. Open the page as of today and do it there."}
	}
	return err
}

// itemAsked loads the statement on the subject that the address asks for, as
// judged now.
func (s *Server) itemAsked(c echo.Context) (posture.CellItem, error) {
	q := readQuery(c)
	subject, statement := q.ID("subject"), q.Text("statement", maxName)
	if q.Err() != nil || subject == 0 || statement == "" {
		return posture.CellItem{}, posture.NotFoundError("statement")
	}
	return s.store.StatementPage(c.Request().Context(), access(c), posture.AsOf{}, subject, statement)
}

// formFrame is the frame of a form about a subject.
func (s *Server) formFrame(c echo.Context, title string, subject posture.SubjectRef, more ...view.Crumb) view.Page {
	crumbs := append(view.SubjectCrumbs(subject), more...)
	return s.page(c, title, view.SubjectSection(subject), append(crumbs, view.Crumb{Text: title})...)
}
