package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/web/webtest"
)

func signInForm(email, password string) url.Values {
	return url.Values{"email": {email}, "password": {password}}
}

func TestPagesNeedSignIn(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.Anonymous(t)
	p := c.Get("/admin/people?x=1")
	if got, want := p.Header.Get("Location"), "/sign-in?next=%2Fadmin%2Fpeople%3Fx%3D1"; p.Code != http.StatusSeeOther || got != want {
		t.Errorf("status %d, Location %q, want 303 and %q", p.Code, got, want)
	}
	p = c.Get("/nothing/here")
	if p.Code != http.StatusSeeOther {
		t.Errorf("an address that does not exist answers %d before sign-in, want 303 as any other", p.Code)
	}
	c.Header.Set("HX-Request", "true")
	if got := c.Get("/account").Header.Get("HX-Redirect"); got != "/sign-in?next=%2Faccount" {
		t.Errorf("HX-Redirect %q", got)
	}
}

func TestSignInLeadsBackAndRotatesTheToken(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Editor)
	c := site.Anonymous(t)
	page := c.Get("/sign-in?next=/help/words").Status(http.StatusOK)
	page.Has(`input[name=email][autocomplete=username]`).Has(`input[name=password][autocomplete=current-password]`)
	in := page.Submit("form", signInForm("editor@example.org", webtest.Password))
	if got := in.Header.Get("Location"); in.Code != http.StatusSeeOther || got != "/help/words" {
		t.Fatalf("status %d, Location %q", in.Code, got)
	}
	cookie := in.Header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("session cookie %q lacks %s", cookie, want)
		}
	}
	first := c.Cookies()[0].Value
	in.Follow().Status(http.StatusOK).Says(".me", "Test editor")
	c.Post("/sign-in", signInForm("editor@example.org", webtest.Password)).Status(http.StatusSeeOther)
	if second := c.Cookies()[0].Value; second == first {
		t.Error("signing in again keeps the old session token")
	}
}

func TestSignInLeadsToNoOtherSite(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Viewer)
	for _, next := range []string{"https://evil.example/", "//evil.example/", `/\evil.example`, "javascript:alert(1)", "/a\nb"} {
		c := site.Anonymous(t)
		form := signInForm("viewer@example.org", webtest.Password)
		form.Set("next", next)
		if got := c.Post("/sign-in", form).Header.Get("Location"); got != "/" {
			t.Errorf("next %q leads to %q", next, got)
		}
	}
}

func TestWrongPasswordNamesNeither(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Viewer)
	c := site.Anonymous(t)
	wrong := c.Post("/sign-in", signInForm("viewer@example.org", "not the password")).Status(http.StatusUnprocessableEntity)
	unknown := c.Post("/sign-in", signInForm("nobody@example.org", "not the password")).Status(http.StatusUnprocessableEntity)
	if a, b := wrong.Text("[role=alert]"), unknown.Text("[role=alert]"); a != b {
		t.Errorf("a wrong password says %q, an unknown address %q", a, b)
	}
	if got := wrong.Attr("input[name=email]", "value"); got != "viewer@example.org" {
		t.Errorf("the address typed came back as %q", got)
	}
	wrong.HasNot("input[name=password][value]:not([value=''])")
	c.Get("/account").Status(http.StatusSeeOther)
}

func TestSignInIsThrottled(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Viewer)
	c := site.Anonymous(t)
	for range 10 {
		c.Post("/sign-in", signInForm("viewer@example.org", "wrong")).Status(http.StatusUnprocessableEntity)
	}
	c.Post("/sign-in", signInForm("viewer@example.org", webtest.Password)).
		Status(http.StatusUnprocessableEntity).Says("[role=alert]", "Too many wrong tries")
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	old := c.Cookies()[0]
	c.Get("/account").Status(http.StatusOK).Submit("form[action='/sign-out']", nil).Status(http.StatusSeeOther)
	c.Get("/account").Status(http.StatusSeeOther)
	thief := site.Anonymous(t)
	thief.Header.Set("Cookie", old.String())
	thief.Get("/account").Status(http.StatusSeeOther)
}

func TestSessionsEndWhenIdleAndInTheEnd(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	for range 7 * 24 / 11 {
		site.DB.Clock.Add(11 * time.Hour)
		c.Get("/account").Status(http.StatusOK)
	}
	site.DB.Clock.Add(11 * time.Hour)
	c.Get("/account").Status(http.StatusSeeOther)

	idle := site.AsPerson(t, posture.Person{Name: "Idle", Email: "idle@example.org", Role: posture.Viewer, AllPortfolios: true})
	site.DB.Clock.Add(12*time.Hour + time.Minute)
	idle.Get("/account").Status(http.StatusSeeOther)
}

func TestReadingAPageDoesNotWrite(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	c.Get("/help/words").Status(http.StatusOK)
	site.DB.Counter.Reset()
	c.Get("/help/words").Status(http.StatusOK)
	got := site.DB.Counter.Statements()
	if len(got) != 2 {
		t.Errorf("a page without facts sends %d statements, want 2 (session, desk):\n%s", len(got), strings.Join(got, "\n"))
	}
	for _, sql := range got {
		if !strings.HasPrefix(sql, "select") {
			t.Errorf("reading a page sends %q", sql)
		}
	}
}

func TestAnInactivePersonIsOutAtOnce(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin, viewer := site.As(t, posture.Admin), site.As(t, posture.Viewer)
	viewer.Get("/account").Status(http.StatusOK)
	admin.Get(personPath(viewer)).Status(http.StatusOK).
		Submit("form[action='"+personPath(viewer)+"']", url.Values{"active": {"no"}}).Status(http.StatusSeeOther)
	viewer.Get("/account").Status(http.StatusSeeOther)
	site.Anonymous(t).Post("/sign-in", signInForm("viewer@example.org", webtest.Password)).Status(http.StatusUnprocessableEntity)
}

func TestChangingThePassword(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	form := "form[action='/account/password']"
	c.Get("/account").Submit(form, url.Values{"old": {"wrong"}, "password": {"another long sentence"}}).
		Status(http.StatusUnprocessableEntity).Says("#f-old-e", "not the password in force").
		Has("input[name=back][value='/account']")
	c.Get("/account").Submit(form, url.Values{"old": {webtest.Password}, "password": {"short"}}).
		Status(http.StatusUnprocessableEntity).Says("#f-password-e", "at least 12 characters")
	changed := c.Get("/account").Submit(form, url.Values{"old": {webtest.Password}, "password": {"another long sentence"}})
	changed.Follow().Status(http.StatusOK).Says(".toast", "Your password is changed.")
	c.Get("/account").HasNot(".toast")
	site.Anonymous(t).Post("/sign-in", signInForm("viewer@example.org", "another long sentence")).Status(http.StatusSeeOther)
}

func TestThemeIsKeptInACookie(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	c.Get("/account").HasNot("html[data-theme]")
	for theme, selector := range map[string]string{"dark": "html[data-theme=dark]", "light": "html[data-theme=light]", "system": "html:not([data-theme])"} {
		p := c.Post("/account/theme", url.Values{"theme": {theme}, "back": {"/help/words"}})
		p.Follow().Status(http.StatusOK).Has(selector).Has(`button[name=theme][value=` + theme + `][aria-pressed=true]`)
	}
	c.Post("/account/theme", url.Values{"theme": {"blink"}}).Status(http.StatusUnprocessableEntity)
}
