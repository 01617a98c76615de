package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"demarc/web/webtest"
)

func TestSetUpMakesTheFirstAdministratorOnce(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	token, err := site.DB.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	c := site.Anonymous(t)
	page := c.Get("/setup/" + token).Status(http.StatusOK).Has("input[name=name]")
	account := url.Values{"name": {"Ines Marchetti"}, "email": {"ines@example.org"}, "password": {"too short"}}
	again := page.Submit("form", account).Status(http.StatusUnprocessableEntity)
	again.Says("#f-password-e", "at least 12 characters")
	if got := again.Attr("input[name=name]", "value"); got != "Ines Marchetti" {
		t.Errorf("the name typed came back as %q", got)
	}
	again.HasNot("input[type=password][value='too short']")
	account.Set("password", "a long enough sentence")
	done := again.Submit("form", account).Status(http.StatusSeeOther)
	if got := done.Header.Get("Location"); got != "/" {
		t.Errorf("set-up leads to %q", got)
	}
	c.Get("/admin/people").Status(http.StatusOK).Says("tbody", "ines@example.org")

	other := site.Anonymous(t)
	other.Get("/setup/"+token).Status(http.StatusNotFound).Says("main", "used, has expired")
	other.Post("/setup/"+token, account).Status(http.StatusNotFound)
	if got := site.Log.Lines(token); len(got) > 0 {
		t.Errorf("the log tells the link's secret: %s", got[0])
	}
	if got := site.Log.Lines(`"path":"/setup/…"`); len(got) == 0 {
		t.Error("the log does not mention the set-up page")
	}
}

func TestSetUpLinkExpires(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	token, err := site.DB.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	site.DB.Clock.Add(25 * time.Hour)
	site.Anonymous(t).Get("/setup/" + token).Status(http.StatusNotFound)
	site.Anonymous(t).Get("/setup/" + strings.Repeat("x", 32)).Status(http.StatusNotFound)
}
