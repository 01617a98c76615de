package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"demarc/static"
	"demarc/store/posture"
	"demarc/web/webtest"
)

func TestErrorsAreReadable(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	c.Get("/nothing/here").Status(http.StatusNotFound).Says("h1", "Nothing at this address").Has(".bar")
	wrong := c.Send(http.MethodDelete, "/account", "", nil).Status(http.StatusMethodNotAllowed)
	if got := wrong.Header.Get("Allow"); !strings.Contains(got, http.MethodGet) {
		t.Errorf("Allow %q", got)
	}
}

func TestABodyBeyondItsLimitIsRefused(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	big := strings.Repeat("x", 1<<20)
	c.Post("/account/theme", url.Values{"theme": {big}}).Status(http.StatusRequestEntityTooLarge).Says("main", "1 MiB")
	upload := make([]byte, 12<<20+1)
	c.Send(http.MethodPost, "/account/theme", "multipart/form-data; boundary=x", upload).Status(http.StatusRequestEntityTooLarge)
	c.Send(http.MethodPost, "/account/theme", "multipart/form-data; boundary=x", upload[:1<<20+1]).Status(http.StatusUnprocessableEntity)
}

// TestForgedPostIsRefused covers the law of DESIGN.md §11: a same-origin check
// on every unsafe method, before anything is read or changed.
func TestForgedPostIsRefused(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Admin)
	for name, header := range map[string]http.Header{
		"fetch metadata": {"Sec-Fetch-Site": {"cross-site"}},
		"sibling site":   {"Sec-Fetch-Site": {"same-site"}},
		"origin":         {"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}},
		"no origin":      {"Sec-Fetch-Site": nil, "Origin": {"null"}},
	} {
		c.Header = header
		for _, path := range []string{"/sign-out", "/account/theme", "/admin/people", "/sign-in"} {
			p := c.Post(path, url.Values{"theme": {"dark"}})
			if p.Code != http.StatusForbidden || len(p.Header.Values("Set-Cookie")) > 0 {
				t.Errorf("%s: %s answers %d, Set-Cookie %q", name, path, p.Code, p.Header.Values("Set-Cookie"))
			}
			p.Says("main", "page of another site")
		}
	}
	c.Header = http.Header{}
	c.Get("/account").Status(http.StatusOK)
}

func TestEveryAnswerCarriesItsGuards(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	for _, path := range []string{"/account", "/nothing", "/sign-in", "/healthz", static.URL("demarc.css")} {
		p := c.Get(path)
		csp := p.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: CSP %q lacks %s", path, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "data:") {
			t.Errorf("%s: CSP %q", path, csp)
		}
		if p.Header.Get("X-Content-Type-Options") != "nosniff" || p.Header.Get("X-Request-Id") == "" {
			t.Errorf("%s: headers %v", path, p.Header)
		}
	}
	if got := c.Get("/account").Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page's Cache-Control is %q", got)
	}
	if got := c.Get(static.URL("demarc.css")).Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a static file's Cache-Control is %q", got)
	}
}

func TestPagesAreCompressed(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	plain := c.Get("/help/words").Status(http.StatusOK)
	c.Header.Set("Accept-Encoding", "gzip, br")
	p := c.Get("/help/words").Status(http.StatusOK)
	if p.Header.Get("Content-Encoding") != "gzip" || len(p.Body)*3 > len(plain.Body) {
		t.Errorf("Content-Encoding %q, %d of %d bytes", p.Header.Get("Content-Encoding"), len(p.Body), len(plain.Body))
	}
}

// TestABrokenServerTellsNothing closes the pool under a signed-in reader.
func TestABrokenServerTellsNothing(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	c := site.As(t, posture.Viewer)
	c.Get("/readyz").Status(http.StatusOK)
	site.DB.Store.Close()
	p := c.Get("/account").Status(http.StatusInternalServerError)
	id := p.Header.Get("X-Request-Id")
	p.Says("main", id)
	for _, leak := range []string{"pool", "closed", "sql", "pgx", "goroutine", "store", ".go"} {
		if strings.Contains(strings.ToLower(p.Text("main")), leak) {
			t.Errorf("the page tells %q: %s", leak, p.Text("main"))
		}
	}
	lines := site.Log.Lines(id)
	if len(lines) != 1 || !strings.Contains(lines[0], "closed pool") || !strings.Contains(lines[0], `"level":"ERROR"`) {
		t.Errorf("logged %q, want one line that names the cause", lines)
	}
	c.Get("/healthz").Status(http.StatusOK)
	if got := c.Get("/readyz").Status(http.StatusServiceUnavailable); strings.TrimSpace(got.Body) != "not ready" {
		t.Errorf("/readyz says %q", got.Body)
	}
}

func TestHealthNeedsNoSession(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.DB.Counter.Reset()
	c := site.Anonymous(t)
	c.Get("/healthz").Status(http.StatusOK)
	c.Get(static.URL("app.js")).Status(http.StatusOK)
	if got := site.DB.Counter.Statements(); len(got) > 0 {
		t.Errorf("health and static files ask the database: %q", got)
	}
}
