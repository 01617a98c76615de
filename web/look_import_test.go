package web_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

// TestClaimsFailuresAndImportsAreReadableByEverybody opens the pages of the
// catalogue, of discrepancies, of imports and of tokens light and wide, and
// dark and narrow.
func TestClaimsFailuresAndImportsAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if _, err := s.DB.Store.LoadCatalogue(t.Context(), storetest.As(posture.Admin), shelf()); err != nil {
		t.Fatal(err)
	}
	s.failed(t, "SD-01", "a record of Birch came", s.component.Target.Identity)
	s.imported(t, "run.xml", junit(""))
	admin := s.As(t, posture.Admin)
	empty := webtest.New(t).As(t, posture.Admin)
	admin.Post("/admin/tokens", url.Values{"name": {"CI"}, "role": {"editor"}, "days": {"30"}}).Status(http.StatusCreated)
	for _, page := range []struct {
		client *webtest.Client
		path   string
	}{
		{admin, "/vendors"},
		{admin, "/vendors?kind=castle"},
		{admin, "/vendors?find=nobody"},
		{admin, "/vendors/acme-box"},
		{admin, "/discrepancies"},
		{admin, "/discrepancies?kind=evidence_missing"},
		{admin, "/discrepancies?owner=nobody&state=all"},
		{admin, "/discrepancies/1"},
		{admin, "/evidence/import"},
		{admin, "/evidence/import?runtime=case-assistant"},
		{admin, "/evidence/runs"},
		{admin, "/evidence/runs/1"},
		{admin, "/admin/tokens"},
		{empty, "/vendors"},
		{empty, "/discrepancies"},
		{empty, "/evidence/runs"},
		{empty, "/admin/tokens"},
	} {
		for theme, width := range map[string]int{"light": 1440, "dark": 390} {
			t.Run(page.path+" "+theme, func(t *testing.T) {
				t.Parallel()
				visit(t, page.client, page.path, theme, width)
			})
		}
	}
}

// TestImportingByHand chooses a file in a browser, looks at the preview, stores
// it and reads the receipt.
func TestImportingByHand(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	path := filepath.Join(t.TempDir(), "run.xml")
	if err := os.WriteFile(path, []byte(junit("")), 0o600); err != nil {
		t.Fatal(err)
	}
	editor := s.As(t, posture.Editor)
	for theme, width := range map[string]int{"light": 1440, "dark": 390} {
		v := open(t, editor, "/evidence/import?runtime=case-assistant", theme, width)
		v.do(
			chromedp.SetUploadFiles(chromedp.CSS("#f-file"), []string{path}),
			chromedp.Click(chromedp.CSS("input[name=same][value=version]")),
			chromedp.Click(chromedp.CSS("#import .btn.go")),
			chromedp.WaitVisible(chromedp.CSS("#confirm")),
		)
		v.check()
		v.fits(width)
		if theme == "dark" {
			v.do(chromedp.Click(chromedp.CSS("#confirm .btn.go")), chromedp.WaitVisible(chromedp.CSS(".toast")))
			v.check()
		}
	}
}
