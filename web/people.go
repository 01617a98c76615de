package web

import (
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

func (s *Server) peoplePage(c echo.Context) error {
	a := access(c)
	if err := a.Need(posture.ManagePeople); err != nil {
		return err
	}
	people, err := s.store.People(c.Request().Context(), a)
	if err != nil {
		return err
	}
	portfolios, err := s.store.Portfolios(c.Request().Context(), a)
	if err != nil {
		return err
	}
	return s.render(c, view.PeoplePage(s.adminFrame(c, "People"), people, portfolios))
}

func (s *Server) invitePage(c echo.Context) error {
	m, err := s.personModel(c, posture.Person{Role: posture.Viewer, AllPortfolios: true, Active: true})
	if err != nil {
		return err
	}
	return s.render(c, view.PersonPage(s.personFrame(c, "Add a person"), m))
}

// invite makes an account and shows its one-time link in the answer itself: it
// is kept nowhere it could be shown from again.
func (s *Server) invite(c echo.Context) error {
	f := readForm(c)
	m, err := s.personModel(c, readPerson(f))
	if err != nil {
		return err
	}
	again := func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.PersonPage(s.personFrame(c, "Add a person"), m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	made, token, err := s.store.Invite(c.Request().Context(), access(c), m.Person)
	if err != nil {
		return s.invalid(c, err, again)
	}
	return s.showLink(c, made, token)
}

func (s *Server) showLink(c echo.Context, p posture.Person, token string) error {
	link := c.Scheme() + "://" + c.Request().Host + "/setup/" + token
	return s.renderStatus(c, http.StatusCreated, view.LinkPage(s.personFrame(c, "One-time link"), p, link))
}

func (s *Server) personPage(c echo.Context) error {
	person, err := s.personOf(c)
	if err != nil {
		return err
	}
	m, err := s.personModel(c, person)
	if err != nil {
		return err
	}
	return s.render(c, view.PersonPage(s.personFrame(c, person.Name), m))
}

// changePerson saves an account; where somebody else saved it in the meantime
// the two are put side by side.
func (s *Server) changePerson(c echo.Context) error {
	id, err := pathID(c, "account")
	if err != nil {
		return err
	}
	f := readForm(c)
	typed := readPerson(f)
	typed.ID, typed.Version = id, f.Int("version", 1, 1<<30)
	m, err := s.personModel(c, typed)
	if err != nil {
		return err
	}
	again := func(errs ui.Errors) templ.Component {
		m.Errors = errs
		return view.PersonPage(s.personFrame(c, m.Name), m)
	}
	if err := f.Err(); err != nil {
		return s.invalid(c, err, again)
	}
	saved, err := s.store.ChangePerson(c.Request().Context(), access(c), typed)
	switch {
	case posture.KindOf(err) == posture.Conflicting:
		return s.mergePerson(c, m)
	case err != nil:
		return s.invalid(c, err, again)
	}
	s.flash(c, saved.Name+" is saved.")
	return seeOther(c, "/admin/people")
}

func (s *Server) mergePerson(c echo.Context, m view.PersonModel) error {
	ctx, a := c.Request().Context(), access(c)
	began, err := s.store.PersonByID(ctx, a, m.ID, m.Version)
	if err != nil {
		return err
	}
	now, err := s.store.PersonByID(ctx, a, m.ID, 0)
	if err != nil {
		return err
	}
	page := s.personFrame(c, now.Name)
	return s.conflicted(c, view.PersonMergePage(page, began, now, m))
}

// resetPassword makes a one-time link by which the holder of an account
// chooses a new password.
func (s *Server) resetPassword(c echo.Context) error {
	person, err := s.personOf(c)
	if err != nil {
		return err
	}
	token, err := s.store.ResetPassword(c.Request().Context(), access(c), person.Email)
	if err != nil {
		return err
	}
	return s.showLink(c, person, token)
}

// personOf loads the account of the address for those who may manage it.
func (s *Server) personOf(c echo.Context) (posture.Person, error) {
	a := access(c)
	if err := a.Need(posture.ManagePeople); err != nil {
		return posture.Person{}, err
	}
	id, err := pathID(c, "account")
	if err != nil {
		return posture.Person{}, err
	}
	return s.store.PersonByID(c.Request().Context(), a, id, 0)
}

func (s *Server) personModel(c echo.Context, p posture.Person) (view.PersonModel, error) {
	a := access(c)
	if err := a.Need(posture.ManagePeople); err != nil {
		return view.PersonModel{}, err
	}
	portfolios, err := s.store.Portfolios(c.Request().Context(), a)
	return view.PersonModel{Person: p, All: portfolios}, err
}

func (s *Server) personFrame(c echo.Context, title string) view.Page {
	return s.adminFrame(c, title, view.Crumb{Text: "People", Href: "/admin/people"}, view.Crumb{Text: title})
}

// adminFrame is the frame of a page of administration, which has no past.
func (s *Server) adminFrame(c echo.Context, title string, crumbs ...view.Crumb) view.Page {
	p := s.page(c, title, "Admin", crumbs...)
	p.Timeless = true
	return p
}

func readPerson(f *form) posture.Person {
	p := posture.Person{
		Name:          f.Required("name", maxName),
		Email:         f.Required("email", maxAddress),
		AllPortfolios: f.Typed("reach") == "all" || f.Typed("portfolios") == "all",
		Active:        f.Choice("active", "yes", "no") == "yes",
	}
	role, err := posture.ParseRole(f.Choice("role", roleNames()...))
	if err == nil {
		p.Role = role
	}
	if !p.AllPortfolios {
		p.Portfolios = f.IDs("portfolios")
		if len(p.Portfolios) == 0 {
			f.Fail("portfolios", "Choose at least one portfolio, or give all of them.")
		}
	}
	return p
}

func roleNames() []string {
	var names []string
	for _, r := range posture.Roles() {
		names = append(names, r.String())
	}
	return names
}

// actorNames gives the names of people by their actor, such as "person:12".
func actorNames(people []posture.Person) map[string]string {
	names := make(map[string]string, len(people))
	for _, p := range people {
		names["person:"+strconv.FormatInt(p.ID, 10)] = p.Name
	}
	return names
}
