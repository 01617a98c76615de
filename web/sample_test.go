package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"demarc/cmd/demarc/demo"
	"demarc/importers/catalogue"
	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

// sampleSite is a server with the sample portfolio and the catalogue.
func sampleSite(t *testing.T) *webtest.Site {
	t.Helper()
	db := storetest.New(t)
	shipped, err := catalogue.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.LoadCatalogue(t.Context(), storetest.As(posture.Admin), shipped.Posture()); err != nil {
		t.Fatal(err)
	}
	if err := demo.Load(t.Context(), db.Store, shipped, storetest.Start); err != nil {
		t.Fatal(err)
	}
	return webtest.On(t, db)
}

// samplePages are the pages that a reader of the sample comes by.
var samplePages = []string{
	"/",
	"/?as_of=2026-10-14",
	"/runtimes",
	"/runtimes/case-assistant",
	"/runtimes/case-assistant?as_of=2026-10-14",
	"/runtimes/case-assistant/evidence",
	"/runtimes/case-assistant/history",
	"/runtimes/case-assistant/cells/FS",
	"/runtimes/case-assistant/cells/AD",
	"/runtimes/case-assistant/cells/AD?as_of=2026-11-04",
	"/runtimes/agentcore-eval",
	"/dependencies",
	"/dependencies/document-search",
	"/evidence",
	"/evidence/import",
	"/discrepancies",
	"/vendors",
	"/vendors/aws-agentcore-runtime",
}

// TestSamplePagesAreReadableByEverybody opens each page of the sample in both
// themes at both widths. With DEMARC_SHOTS=DIR it leaves a picture of each
// there, to be looked at beside the measures.
func TestSamplePagesAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	c := sampleSite(t).As(t, posture.Admin)
	walk(t, c, "full", samplePages)
}

// TestEmptyPagesAreReadableByEverybody does so before anything is recorded.
func TestEmptyPagesAreReadableByEverybody(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Admin)
	walk(t, c, "empty", []string{"/", "/runtimes", "/dependencies", "/evidence", "/evidence/import", "/discrepancies", "/vendors"})
}

func walk(t *testing.T, c *webtest.Client, name string, paths []string) {
	t.Helper()
	for _, path := range paths {
		if got := c.Get(path); got.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, got.Code)
			continue
		}
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int{1440, 390} {
				t.Run(fmt.Sprintf("%s %d %s", fileName(path), width, theme), func(t *testing.T) {
					t.Parallel()
					shoot(t, visit(t, c, path, theme, width), fmt.Sprintf("%s-%s-%d-%s", name, fileName(path), width, theme))
				})
			}
		}
	}
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

func fileName(path string) string {
	if name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(path), "-"), "-"); name != "" {
		return name
	}
	return "overview"
}

func shoot(t *testing.T, v *tab, name string) {
	t.Helper()
	dir := os.Getenv("DEMARC_SHOTS")
	if dir == "" {
		return
	}
	picture := run(v, chromedp.FullScreenshot(90))
	if err := os.WriteFile(filepath.Join(dir, name+".jpg"), picture, 0o600); err != nil {
		t.Fatal(err)
	}
}
