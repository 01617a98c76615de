package web

import (
	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// requirementFormRoutes say what is asked of a subject, all at once and
// statement by statement.
func (s *Server) requirementFormRoutes(e *echo.Echo) {
	for _, n := range []struct {
		path  string
		place placeOf
		sheet sheetOf
	}{
		{"/runtimes/:slug/requirements", s.unitPlace, s.unitSheet},
		{"/dependencies/:slug/requirements", s.receiverPlace, s.receiverSheet},
	} {
		e.GET(n.path, func(c echo.Context) error { return s.requirementsPage(c, n.sheet) })
		e.POST(n.path, func(c echo.Context) error { return s.requireMany(c, n.sheet) })
		e.GET(n.path+"/:statement", func(c echo.Context) error { return s.requirementPage(c, n.place) })
		e.POST(n.path+"/:statement", func(c echo.Context) error { return s.require(c, n.place) })
	}
}

// sheetOf loads the subject of an address with all that is asked of it.
type sheetOf func(c echo.Context) (posture.SubjectRef, []posture.StatementRow, error)

func (s *Server) unitSheet(c echo.Context) (posture.SubjectRef, []posture.StatementRow, error) {
	page, err := s.store.RuntimePage(c.Request().Context(), access(c), asOf(c), c.Param("slug"))
	r := &page.Runtime
	return posture.SubjectRef{ID: r.Subject, Kind: posture.Unit, Slug: r.Slug, Name: r.Name}, page.Statements, err
}

func (s *Server) receiverSheet(c echo.Context) (posture.SubjectRef, []posture.StatementRow, error) {
	page, err := s.store.ComponentPage(c.Request().Context(), access(c), asOf(c), c.Param("slug"))
	r := &page.Component
	return posture.SubjectRef{ID: r.Subject, Kind: posture.Receiver, Slug: r.Slug, Name: r.Name}, page.Statements, err
}

func (s *Server) requirementsPage(c echo.Context, load sheetOf) error {
	subject, rows, err := load(c)
	if err != nil {
		return err
	}
	m := view.NewRequirementsForm(subject, rows, mayFill(c, posture.EditInventory) == nil)
	if c.QueryParam("choose") == "asked" {
		m = m.ChooseAsked()
	}
	return s.render(c, view.RequirementsPage(s.formFrame(c, "Requirements", subject), m))
}

// requireMany changes what is asked on the statements chosen, all or none.
func (s *Server) requireMany(c echo.Context, load sheetOf) error {
	if err := mayFill(c, posture.EditInventory); err != nil {
		return err
	}
	subject, rows, err := load(c)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	m := view.NewRequirementsForm(subject, rows, true)
	list := readRequirements(f, &m)
	page := func(d view.Draft) templ.Component {
		return view.RequirementsPage(s.formFrame(c, "Requirements", subject), m.With(d))
	}
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewRequire(ctx, a, list)
			return &p, err
		},
		save: func() (string, error) {
			moves, err := s.store.Require(ctx, a, list)
			if err == nil {
				s.flash(c, ui.Plural(len(list), "requirement is", "requirements are")+" saved. "+view.MovedWords(moves))
			}
			return m.Path(), err
		},
		page: page,
		conflict: func(err error) error {
			return s.conflicted(c, page(view.Draft{Typed: f.values, Errors: ui.ErrorsOf(err)}))
		},
	})
}

// readRequirements applies what the form changes to the statements chosen, each
// from the version that was shown.
func readRequirements(f *form, m *view.RequirementsForm) []posture.Requirement {
	rung, wanted := f.Choice("rung", append(view.RungNames(), "")...), f.Choice("wanted", "intended", "undecided", "")
	owner, setOwner := f.Text("owner", maxName), f.Bool("set_owner")
	if rung == "" && wanted == "" && !setOwner {
		f.Fail("rung", "Choose what changes: the evidence asked for, the boundary or the owner.")
	}
	var list []posture.Requirement
	for _, id := range f.TypedAll("statement") {
		r, known := m.Requirement(id)
		if !known {
			f.Fail("statement", "Choose from the list.")
			continue
		}
		r.Version = f.Int("version."+id, 0, 1<<30)
		if r.Version == 0 {
			r.Wanted = posture.Intended
		}
		if parsed, err := posture.ParseRung(rung); err == nil {
			r.Rung = parsed
		}
		if parsed, err := posture.ParseWanted(wanted); err == nil {
			r.Wanted = parsed
		}
		if setOwner {
			r.Owner = owner
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		f.Fail("statement", "Choose at least one statement.")
	}
	return list
}

func (s *Server) requirementPage(c echo.Context, load placeOf) error {
	m, err := s.requirementModel(c, load)
	if err != nil {
		return err
	}
	return s.render(c, view.RequirementPage(s.requirementFrame(c, &m), m))
}

// requirementModel loads what is asked on one statement and how it is judged.
func (s *Server) requirementModel(c echo.Context, load placeOf) (view.RequirementForm, error) {
	place, err := editable(c, load)
	if err != nil {
		return view.RequirementForm{}, err
	}
	statement := c.Param("statement")
	if !judgedThere(statement, place.Subject.Kind) {
		return view.RequirementForm{}, posture.NotFoundError("statement that is judged there")
	}
	item, err := s.store.StatementPage(c.Request().Context(), access(c), posture.AsOf{}, place.Subject.ID, statement)
	return view.NewRequirementForm(item), err
}

func (s *Server) requirementFrame(c echo.Context, m *view.RequirementForm) view.Page {
	subject := m.Item.Row.Subject
	return s.formFrame(c, m.Item.Row.Statement, subject, view.Crumb{Text: "Requirements", Href: view.RequirementsPath(subject)})
}

// require saves what is asked on one statement; where somebody else saved it in
// the meantime the two are put side by side.
func (s *Server) require(c echo.Context, load placeOf) error {
	m, err := s.requirementModel(c, load)
	if err != nil {
		return err
	}
	ctx, a, f := c.Request().Context(), access(c), readForm(c)
	subject, statement := m.Item.Row.Subject, m.Item.Row.Statement
	r := readRequirement(f)
	r.Subject, r.Statement = subject.ID, statement
	list := []posture.Requirement{r}
	return s.decide(c, f, decision{
		preview: func() (*posture.Preview, error) {
			p, err := s.store.PreviewRequire(ctx, a, list)
			return &p, err
		},
		save: func() (string, error) {
			moves, err := s.store.Require(ctx, a, list)
			if err == nil {
				s.flash(c, "What is asked on "+statement+" is saved. "+view.MovedWords(moves))
			}
			return view.RequirementsPath(subject), err
		},
		page:     func(d view.Draft) templ.Component { return view.RequirementPage(s.requirementFrame(c, &m), m.With(d)) },
		conflict: func(error) error { return s.mergeRequirement(c, f, &m, r.Version) },
	})
}

func (s *Server) mergeRequirement(c echo.Context, f *form, m *view.RequirementForm, version int) error {
	ctx, a := c.Request().Context(), access(c)
	subject, statement := m.Item.Row.Subject, m.Item.Row.Statement
	began := posture.Requirement{Subject: subject.ID, Statement: statement}
	var err error
	if version > 0 {
		if began, err = s.store.RequirementVersion(ctx, a, subject.ID, statement, version); err != nil {
			return err
		}
	}
	now, err := s.store.Requirement(ctx, a, subject.ID, statement)
	if err != nil {
		return err
	}
	return s.merge(c, s.requirementFrame(c, m), view.MergeRequirement(subject, began, now, f.values))
}

// morePaths is the most enforcement paths that a requirement names.
const morePaths = 50

func readRequirement(f *form) posture.Requirement {
	r := posture.Requirement{
		Version: f.Int("version", 0, 1<<30), Reason: f.Text("reason", maxText), Mechanism: f.Text("mechanism", maxText),
		Configuration: f.Text("configuration", maxText), Owner: f.Text("owner", maxName), Paths: f.Lines("paths", morePaths),
	}
	if wanted, err := posture.ParseWanted(f.Choice("wanted", "intended", "not_intended", "undecided")); err == nil {
		r.Wanted = wanted
	}
	if rung, err := posture.ParseRung(f.Choice("rung", view.RungNames()...)); err == nil {
		r.Rung = rung
	}
	return r
}
