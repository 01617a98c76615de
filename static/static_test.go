package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

func get(t *testing.T, address, accept string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	r.Header.Set("Accept-Encoding", accept)
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestFilesAreServedForAYearUnderTheirDigest(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tokens.css", "demarc.css", "app.js", "htmx.min.js", "symbols.svg", "icon.svg"} {
		address := URL(name)
		if !regexp.MustCompile(`^/static/.+\.[0-9a-f]{10}\.\w+$`).MatchString(address) {
			t.Errorf("%s: address %q carries no digest", name, address)
		}
		resp := get(t, address, "")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Cache-Control") != forever {
			t.Errorf("%s: %d, Cache-Control %q", name, resp.StatusCode, resp.Header.Get("Cache-Control"))
		}
	}
}

func TestCompressedFormsUnpackToTheSameBytes(t *testing.T) {
	t.Parallel()
	plain, _ := io.ReadAll(get(t, URL("demarc.css"), "").Body)
	for accept, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip":           func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"gzip, br;q=0":   func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"gzip, br;q=0.5": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	} {
		resp := get(t, URL("demarc.css"), accept)
		r, err := open(resp.Body)
		if err != nil {
			t.Fatalf("%s: %v", accept, err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %d bytes, %v; want the %d plain ones", accept, len(got), err, len(plain))
		}
		if resp.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: no Vary", accept)
		}
	}
}

func TestStyleSheetsNameFontsThatAreServed(t *testing.T) {
	t.Parallel()
	css, _ := io.ReadAll(get(t, URL("tokens.css"), "").Body)
	found := cssURL.FindAllSubmatch(css, -1)
	if len(found) != 2 {
		t.Fatalf("tokens.css names %d files, want the 2 fonts", len(found))
	}
	for _, m := range found {
		resp := get(t, Prefix+string(m[1]), "br")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "font/woff2" || resp.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %q %q", m[1], resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("Content-Encoding"))
		}
	}
}

func TestPlainNamesAndStrangersAreNotServed(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"/static/demarc.css", "/static/", "/static/../static.go", "/static/demarc.0000000000.css"} {
		resp := get(t, p, "")
		if resp.StatusCode != http.StatusNotFound || strings.Contains(resp.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, Cache-Control %q", p, resp.StatusCode, resp.Header.Get("Cache-Control"))
		}
	}
}

func TestManifestNamesEveryVendoredFileAsItIs(t *testing.T) {
	t.Parallel()
	var manifest struct {
		Vendored []struct{ File, Package, Version, Licence, SHA256 string }
	}
	raw, err := embedded.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, v := range manifest.Vendored {
		named[v.File] = true
		if v.Package == "" || v.Version == "" || v.Licence == "" {
			t.Errorf("%s: package, version or licence missing", v.File)
		}
		body, err := embedded.ReadFile(v.File)
		if err != nil {
			t.Errorf("%s: %v", v.File, err)
			continue
		}
		sum := sha256.Sum256(body)
		if v.SHA256 != "" && v.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: digest %x is not the manifest's", v.File, sum)
		}
	}
	for name := range files().byName {
		if (strings.HasPrefix(name, "fonts/") || strings.Contains(name, ".min.")) && !named[name] {
			t.Errorf("%s is not in manifest.json", name)
		}
	}
}

func TestIconsAreInTheSprite(t *testing.T) {
	t.Parallel()
	glyphs := Glyphs()
	for _, want := range []string{"v-tested", "o-fail", "s-5", "r-unk", "i-search", "brand"} {
		if !slices.Contains(glyphs, want) {
			t.Errorf("symbols.svg has no %s", want)
		}
	}
	if got := Icon("brand"); got != URL("symbols.svg")+"#brand" {
		t.Errorf("Icon = %q", got)
	}
}

// TestFirstVisitFitsItsBudget holds DESIGN.md §10: what every page loads beside
// its own HTML leaves 40 kB of 150 kB for it.
func TestFirstVisitFitsItsBudget(t *testing.T) {
	t.Parallel()
	total := 0
	for _, name := range []string{
		"tokens.css", "demarc.css", "app.js", "htmx.min.js", "symbols.svg", "icon.svg",
		"fonts/inter-latin-wght-normal.woff2", "fonts/ibm-plex-mono-latin-400-normal.woff2",
	} {
		body, _ := files().byName[name].encoded("gzip")
		total += len(body)
	}
	if total > 110_000 {
		t.Errorf("static files weigh %d bytes compressed, want at most 110,000", total)
	}
}
