package web_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"demarc/web/webtest"
)

// TestFormsAreReadableByEverybody opens each form and the pages of evidence
// light and wide, and dark and narrow.
func TestFormsAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tested(t)
	failed := s.failure(t, "SD-01")
	passed := s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test"), s.testOf("run 3", "SD-01", "deny", "pass"))
	confirm(s.risk.Get(on("/accept", s.receiver, "AD-1")).Submit("#fill", s.terms(20, failed)))
	s.DB.Clock.Add(time.Minute)
	var pages []lookedAt
	for _, kind := range []string{"statement", "documentation", "attestation", "configuration", "test", "incident"} {
		pages = append(pages, lookedAt{s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", kind)})
	}
	for _, kind := range []string{"fixed_verified", "not_applicable", "test_invalid"} {
		pages = append(pages, lookedAt{s.closer, "/evidence/" + failed + "/close?kind=" + kind})
	}
	for _, path := range []string{
		"/evidence", "/evidence?kind=incident", "/evidence?statement=ZZ", "/evidence?as_of=2026-11-29", "/evidence/" + failed, "/evidence/" + passed,
		"/evidence/new", on("/evidence/new", s.unit, "AD-1", "kind", "test"), "/evidence/" + failed + "/withdraw", "/evidence/" + passed + "/withdraw",
		on("/rule-out", s.unit, "FS-2"), "/runtimes/new", "/runtimes/case-assistant/edit", "/runtimes/case-assistant/retire",
		"/runtimes/case-assistant/target", "/runtimes/case-assistant/links", "/runtimes/case-assistant/links/new",
		"/runtimes/case-assistant/requirements", "/runtimes/case-assistant/requirements/FS-1", "/dependencies/new",
		"/dependencies/document-search/edit", "/dependencies/document-search/requirements",
	} {
		pages = append(pages, lookedAt{s.tester, path})
	}
	pages = append(pages, lookedAt{s.risk, on("/accept", s.receiver, "AD-1")}, lookedAt{s.risk, on("/accept", s.unit, "FS-2")},
		lookedAt{s.risk, s.risk.Get("/evidence/"+failed).Attr("a[href^='/revoke/']", "href")})
	for _, page := range pages {
		for theme, width := range map[string]int{"light": 1440, "dark": 390} {
			t.Run(page.path+" "+theme, func(t *testing.T) {
				t.Parallel()
				visit(t, page.client, page.path, theme, width)
			})
		}
	}
}

// lookedAt is a page as one of the people sees it.
type lookedAt struct {
	client *webtest.Client
	path   string
}

// TestAnsweredFormsAreReadableByEverybody sends forms from the browser and looks
// at what comes back: an effect, a form sent back, two versions side by side
// and a question before what takes something away.
func TestAnsweredFormsAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tested(t)
	s.failure(t, "SD-01")
	const edit = "/runtimes/case-assistant/edit"
	for name, c := range map[string]struct {
		lookedAt
		script, answer string
	}{
		"effect of an acceptance": {lookedAt{s.risk, on("/accept", s.receiver, "AD-1")}, `
			document.querySelector("#f-expires_at").value = "2026-12-20";
			document.querySelector("#f-review_at").value = "2026-12-10";
			document.querySelector("#f-condition").value = "nothing restricted is indexed";
			document.querySelector("#fill").requestSubmit()`, "#confirm"},
		"acceptance sent back": {lookedAt{s.risk, on("/accept", s.receiver, "AD-1")}, `
			document.querySelector("#f-covers-0").checked = false;
			document.querySelector("#fill").requestSubmit()`, "#f-covers-e"},
		"evidence sent back": {lookedAt{s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test")}, `
			document.querySelector("#fill").requestSubmit()`, "#f-expected-e"},
		"effect of a target": {lookedAt{s.tester, "/runtimes/case-assistant/target"}, `
			document.querySelector("#f-image").value = "sha256:d2";
			document.querySelector("#fill").requestSubmit()`, "#confirm"},
		"effect of a link": {lookedAt{s.tester, "/runtimes/case-assistant/links/new"}, `
			document.querySelector("form[data-component]").requestSubmit()`, "[role=alert]"},
		"runtime sent back": {lookedAt{s.tester, edit}, `
			document.querySelector("[id='f-wanted.NW-1']").checked = true;
			document.querySelector("#fill").requestSubmit()`, "[id='f-intent.NW-e']"},
		"requirements sent back": {lookedAt{s.tester, "/runtimes/case-assistant/requirements"}, `
			document.querySelector("#fill").requestSubmit()`, "#f-rung-e"},
		"question before unlinking": {lookedAt{s.tester, "/runtimes/case-assistant/links"}, `
			document.querySelector("[popovertarget=unlink-document-search]").click()`, "#unlink-document-search form"},
	} {
		for theme, width := range map[string]int{"light": 1440, "dark": 390} {
			t.Run(name+" "+theme, func(t *testing.T) {
				t.Parallel()
				answered(t, c.lookedAt, theme, width, c.script, c.answer)
			})
		}
	}
}

// TestAMergeIsReadableByEverybody changes a runtime while a browser edits it.
func TestAMergeIsReadableByEverybody(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	v := open(t, s.tester, "/runtimes/case-assistant/edit", "dark", 390)
	s.closer.Get("/runtimes/case-assistant/edit").Submit("#fill", map[string][]string{"owner": {"Platform Runtime"}})
	s.DB.Clock.Add(time.Minute)
	v.do(
		chromedp.Evaluate[chromedp.Void](`document.querySelector("#f-owner").value = "Agent Apps"; document.querySelector("#fill").requestSubmit()`),
		chromedp.WaitVisible(chromedp.CSS("#m-owner-mine")),
	)
	v.check()
	v.fits(390)
}

// answered opens a page, runs a script on it and looks at what comes back.
func answered(t *testing.T, page lookedAt, theme string, width int, script, answer string) {
	t.Helper()
	v := open(t, page.client, page.path, theme, width)
	v.do(chromedp.Evaluate[chromedp.Void](script), chromedp.WaitVisible(chromedp.CSS(answer)))
	v.check()
	v.fits(width)
}
