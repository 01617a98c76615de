package web_test

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"demarc/store/posture"
	"demarc/web/webtest"
)

// TestPagesAreReadableByEverybody opens each page light and wide, and dark and
// narrow.
func TestPagesAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin, editor := site.As(t, posture.Admin), site.As(t, posture.Editor)
	site.AsPerson(t, posture.Person{Name: "Gone", Email: "gone@example.org", Role: posture.Viewer, AllPortfolios: true})
	token, err := site.DB.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	anonymous := site.Anonymous(t)
	for _, page := range []struct {
		client *webtest.Client
		path   string
	}{
		{anonymous, "/sign-in"},
		{anonymous, "/setup/" + token},
		{editor, "/account"},
		{editor, "/help/words"},
		{editor, "/help/words?as_of=2026-10-31"},
		{editor, "/nothing/here"},
		{editor, "/admin/people"},
		{admin, "/admin/people"},
		{admin, "/admin/people/new"},
		{admin, personPath(editor)},
		{admin, "/admin/audit"},
		{admin, "/admin/audit?from=soon"},
	} {
		for theme, width := range map[string]int{"light": 1440, "dark": 390} {
			t.Run(page.path+" "+theme, func(t *testing.T) {
				t.Parallel()
				visit(t, page.client, page.path, theme, width)
			})
		}
	}
}

func TestMenusAndDialogsOpenReadable(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	for _, width := range []int{1440, 390} {
		for _, menu := range []string{".drop.asof", ".drop.me", ".menu"} {
			if menu == ".menu" && width > 1152 {
				continue
			}
			v := open(t, c, "/account", "light", width)
			v.do(chromedp.Click(chromedp.CSS(menu + " > summary")))
			v.check()
			v.do(chromedp.KeyEvent("\u001b"))
			if run(v, chromedp.Evaluate[bool](`document.querySelector("`+menu+`").open`)) {
				t.Errorf("%s at %d px stays open after Escape", menu, width)
			}
		}
	}
}

func TestSlashGoesToTheSearch(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	v := open(t, c, "/help/words", "dark", 1440)
	key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Code: "Slash", Text: "/"}
	if _, err := chromedp.Call(v.ctx, input.DispatchKeyEvent, key); err != nil {
		t.Fatal(err)
	}
	if got := run(v, chromedp.Evaluate[string](`document.activeElement.id`)); got != "find" {
		t.Errorf("“/” goes to %q", got)
	}
	if got := run(v, chromedp.Evaluate[string](`document.querySelector("#find").value`)); got != "" {
		t.Errorf("“/” typed %q", got)
	}
}

// TestSigningInByHand types into the real form.
func TestSigningInByHand(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Editor)
	v := open(t, site.Anonymous(t), "/sign-in?next=/account", "light", 1440)
	v.do(
		chromedp.SendKeys(chromedp.CSS("#f-email"), "editor@example.org"),
		chromedp.SendKeys(chromedp.CSS("#f-password"), webtest.Password+"\r"),
		chromedp.WaitVisible(chromedp.CSS(".me")),
	)
	if got := run(v, chromedp.Title()); got != "Your account · Demarc" {
		t.Errorf("signing in leads to %q", got)
	}
	v.check()
}
