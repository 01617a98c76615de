package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

func personPath(c *webtest.Client) string { return fmt.Sprintf("/admin/people/%d", c.Person.ID) }

func TestOnlyAdministratorsManagePeople(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	for _, role := range posture.Roles() {
		if role == posture.Admin {
			continue
		}
		c := site.As(t, role)
		for _, path := range []string{"/admin/people", "/admin/people/new", personPath(c)} {
			c.Get(path).Status(http.StatusForbidden).Says("h1", "not open to you")
		}
		form := url.Values{"name": {"Mallory"}, "email": {"m@example.org"}, "role": {"admin"}, "reach": {"all"}, "active": {"yes"}, "version": {"1"}}
		c.Post("/admin/people", form).Status(http.StatusForbidden)
		c.Post(personPath(c), form).Status(http.StatusForbidden)
		c.Post(personPath(c)+"/link", nil).Status(http.StatusForbidden)
		nav := c.Get("/account").Texts(".nav a")
		if got, want := slices.Contains(nav, "Admin"), role == posture.Auditor; got != want {
			t.Errorf("%s: the bar shows Admin: %t, want %t", role, got, want)
		}
	}
}

func TestInvitingAPerson(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	admin.Get("/admin/people").Status(http.StatusOK).Has("a[href='/admin/people/new']")
	form := admin.Get("/admin/people/new").Status(http.StatusOK)
	refused := form.Submit("main form", url.Values{"name": {""}, "email": {"no address"}, "reach": {"some"}}).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-name-e", "cannot be left empty").Says("#f-portfolios-e", "at least one portfolio").Says("[role=alert] a", "Name")
	if got := refused.Attr("input[name=email]", "value"); got != "no address" {
		t.Errorf("the address typed came back as %q", got)
	}
	made := form.Submit("main form", url.Values{"name": {"Per Haas"}, "email": {"per@example.org"}, "role": {"risk_owner"}}).Status(http.StatusCreated)
	link, err := url.Parse(made.Attr("#link", "value"))
	if err != nil || !strings.HasPrefix(link.Path, "/setup/") || link.Host == "" {
		t.Fatalf("link %v, %v", link, err)
	}
	per := site.Anonymous(t)
	per.Get(link.Path).Status(http.StatusOK).Says("main", "per@example.org").HasNot("input[name=name]").
		Submit("form", url.Values{"password": {"per chose this himself"}}).Status(http.StatusSeeOther)
	per.Get("/account").Status(http.StatusOK).Says(".sub", "risk owner")
	per.Get(link.Path).Status(http.StatusNotFound)

	twice := form.Submit("main form", url.Values{"name": {"Per Haas"}, "email": {"PER@example.org"}}).Status(http.StatusUnprocessableEntity)
	twice.Says("#f-email-e", "has an account with this address already")
}

func TestTwoAdministratorsSaveOneAccount(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	other := site.AsPerson(t, posture.Person{Name: "Other", Email: "other@example.org", Role: posture.Admin, AllPortfolios: true})
	viewer := site.As(t, posture.Viewer)
	path := personPath(viewer)
	form := "form[action='" + path + "']"
	mine, theirs := admin.Get(path), other.Get(path)
	theirs.Submit(form, url.Values{"name": {"Their name"}, "role": {"editor"}}).Follow().Says(".toast", "Their name is saved.")

	merge := mine.Submit(form, url.Values{"name": {"My name"}, "email": {"new@example.org"}}).Status(http.StatusConflict)
	merge.Says("[role=alert]", "saved this record while you were writing").
		Has("input[type=radio][name=name][value='Their name']").
		Has("input[type=radio][name=name][value='My name'][checked]").
		Has("input[type=hidden][name=role][value=editor]").
		Has("input[type=hidden][name=email][value='new@example.org']")
	merge.Submit(form, nil).Status(http.StatusSeeOther)

	saved, err := site.DB.Store.PersonByID(t.Context(), storetest.As(posture.Admin), viewer.Person.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	if saved.Name != "My name" || saved.Role != posture.Editor || saved.Email != "new@example.org" || saved.Version != 3 || !saved.AllPortfolios || !saved.Active {
		t.Errorf("saved %+v", saved)
	}
}

func TestTheLastAdministratorStays(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	admin.Get(personPath(admin)).Submit("form[action='"+personPath(admin)+"']", url.Values{"role": {"viewer"}}).
		Status(http.StatusUnprocessableEntity).Says("#f-role-e", "last active administrator")
	admin.Get("/admin/people/999999").Status(http.StatusNotFound)
	admin.Get("/admin/people/x1").Status(http.StatusNotFound)
}

func TestAWayBackIn(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin, viewer := site.As(t, posture.Admin), site.As(t, posture.Viewer)
	made := admin.Get(personPath(viewer)).Submit("form[action$='/link']", nil).Status(http.StatusCreated)
	link, err := url.Parse(made.Attr("#link", "value"))
	if err != nil {
		t.Fatal(err)
	}
	site.Anonymous(t).Get(link.Path).Submit("form", url.Values{"password": {"a brand new sentence"}}).Status(http.StatusSeeOther)
	site.Anonymous(t).Post("/sign-in", signInForm("viewer@example.org", webtest.Password)).Status(http.StatusUnprocessableEntity)
	site.Anonymous(t).Post("/sign-in", signInForm("viewer@example.org", "a brand new sentence")).Status(http.StatusSeeOther)
}
