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

func TestOnlyAdministratorsManageTokens(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	for _, role := range posture.Roles() {
		c := site.As(t, role)
		want := http.StatusForbidden
		if role == posture.Admin {
			want = http.StatusOK
			c.Get("/admin/people").Status(http.StatusOK).Has("main .tabs a[href='/admin/tokens']")
		}
		c.Get("/admin/tokens").Status(want)
		if role != posture.Admin {
			c.Post("/admin/tokens", url.Values{"name": {"x"}, "role": {"editor"}, "days": {"30"}}).Status(http.StatusForbidden)
			c.Post("/admin/tokens/1/revoke", nil).Status(http.StatusForbidden)
		}
	}
}

// TestATokensLife makes a token by the page, signs in with it, sees its use and
// revokes it.
func TestATokensLife(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	page := admin.Get("/admin/tokens").Status(http.StatusOK).Has("[data-kind=nothing-yet]")
	made := page.Submit("main form", url.Values{"name": {"CI of case-assistant"}, "role": {"editor"}, "days": {"30"}}).Status(http.StatusCreated)
	made.Says("h1", "CI of case-assistant").Says(".sub", "editor, expires 30 Dec 2026").Says(".ban", "only time it is shown")
	secret := made.Attr("#secret", "value")
	if !strings.HasPrefix(secret, "demarc_") {
		t.Fatalf("the secret is %q", secret)
	}

	row := "tbody tr"
	page = admin.Get("/admin/tokens").Status(http.StatusOK)
	page.Says(row, "CI of case-assistant").Says(row, "editor").Says(row, "Test admin").Says(row+" td[data-l='Last used']", "never")
	if strings.Contains(page.Body, secret) {
		t.Error("the list shows the secret")
	}

	program := site.Anonymous(t)
	program.Header.Set("Authorization", "Bearer "+secret)
	if got := program.Get("/api/v1/runtimes"); got.Code != http.StatusOK {
		t.Fatalf("the token gets %d: %s", got.Code, got.Body)
	}
	program.Get("/vendors").Status(http.StatusSeeOther)
	page = admin.Get("/admin/tokens").Says(row+" td[data-l='Last used']", "today")
	page.Submit("dialog form", nil).Status(http.StatusSeeOther)
	admin.Get("/admin/tokens").Says(".toast", "revoked").Says(row, "revoked").HasNot("dialog")
	site.DB.Clock.Add(time.Minute)
	if got := program.Get("/api/v1/runtimes"); got.Code != http.StatusUnauthorized {
		t.Errorf("the revoked token gets %d", got.Code)
	}
	admin.Post("/admin/tokens/1/revoke", nil).Status(http.StatusNotFound)
	for _, line := range site.Log.Lines(secret) {
		t.Errorf("logged: %s", line)
	}
}

func TestATokenFormSentBack(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin := site.As(t, posture.Admin)
	page := admin.Post("/admin/tokens", url.Values{"name": {" "}, "role": {"admin"}, "days": {"400"}}).Status(http.StatusUnprocessableEntity)
	page.Has(".field.bad #f-name").Has(".field.bad #f-role").Has(".field.bad #f-days").Says(".ban[role=alert]", "3 fields need another look")
	if got := page.Attr("#f-days", "value"); got != "400" {
		t.Errorf("days came back as %q", got)
	}
	admin.Post("/admin/tokens", url.Values{"name": {"short"}, "role": {"viewer"}, "days": {"1"}}).Status(http.StatusCreated)
	site.DB.Clock.Add(25 * time.Hour)
	admin = site.AsPerson(t, posture.Person{Name: "B", Email: "b@example.org", Role: posture.Admin, AllPortfolios: true})
	admin.Get("/admin/tokens").Says("tbody tr", "expired").HasNot("dialog")
}
