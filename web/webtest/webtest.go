// Package webtest reads and sends pages in tests: a server on a database of
// its own, a client for each role, documents by selector and forms filled in as
// a browser would. Every HTML page that it reads is held to what all pages
// promise. It is imported by tests only.
package webtest

import (
	"bytes"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web"
)

// Site is a server on one test's database.
type Site struct {
	DB      *storetest.DB
	Server  *web.Server
	Handler http.Handler
	Log     *Log
}

// New gives a server on a database that only this test uses.
func New(t testing.TB) *Site {
	t.Helper()
	return On(t, storetest.New(t))
}

// On gives a server on a database that the test has prepared.
func On(t testing.TB, db *storetest.DB) *Site {
	t.Helper()
	s := &Site{DB: db, Log: &Log{}}
	s.Server = web.New(web.Config{
		Store:   db.Store,
		Clock:   db.Clock.Now,
		Log:     slog.New(slog.NewJSONHandler(s.Log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Library: "test",
		Policy:  "1",
	})
	s.Handler = s.Server.Handler()
	return s
}

// Log keeps what the server logs.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write is io.Writer's.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String gives all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Lines gives the logged lines that hold all of the words.
func (l *Log) Lines(words ...string) []string {
	var out []string
	for line := range strings.Lines(l.String()) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if all {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

// host is the address that requests of in-process clients go to.
const host = "demarc.test"

// Client is one browser: it keeps cookies and sends what a browser sends with
// a form of the same site.
type Client struct {
	t    testing.TB
	site *Site
	jar  http.CookieJar
	// Header is sent with every request; a test may change it.
	Header http.Header
	// Person is who is signed in, zero for nobody.
	Person posture.Person
}

// Anonymous gives a client that is not signed in.
func (s *Site) Anonymous(t testing.TB) *Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatalf("make a cookie jar: %v", err)
	}
	return &Client{t: t, site: s, jar: jar, Header: http.Header{}}
}

// As gives a client signed in as a person with the role who reaches all
// portfolios. The person comes in through a one-time link, as in life.
func (s *Site) As(t testing.TB, role posture.Role) *Client {
	t.Helper()
	return s.AsPerson(t, posture.Person{
		Name: "Test " + role.Words(), Email: role.String() + "@example.org", Role: role, AllPortfolios: true,
	})
}

// Password is the password of everybody that As and AsPerson make.
const Password = "a sentence for tests"

// AsPerson makes the account and gives a client signed in to it.
func (s *Site) AsPerson(t testing.TB, p posture.Person) *Client {
	t.Helper()
	made, token, err := s.DB.Store.Invite(t.Context(), storetest.As(posture.Admin), p)
	if err != nil {
		t.Fatalf("invite %s: %v", p.Email, err)
	}
	c := s.Anonymous(t)
	c.Person = made
	c.Post("/setup/"+token, url.Values{"password": {Password}}).Status(http.StatusSeeOther)
	return c
}

// Serve gives the address of the site on a port of this machine, for a browser;
// it closes with the client's test.
func (c *Client) Serve() string {
	c.t.Helper()
	server := httptest.NewServer(c.site.Handler)
	c.t.Cleanup(server.Close)
	return server.URL
}

// Cookies gives the client's cookies.
func (c *Client) Cookies() []*http.Cookie {
	return c.jar.Cookies(&url.URL{Scheme: "http", Host: host, Path: "/"})
}

// Get reads an address; redirects are not followed.
func (c *Client) Get(path string) *Page {
	c.t.Helper()
	return c.do(http.MethodGet, path, "", nil, "")
}

// Post sends a form to an address; redirects are not followed.
func (c *Client) Post(path string, form url.Values) *Page {
	c.t.Helper()
	return c.postFrom("", path, form)
}

// Send sends a body of any type.
func (c *Client) Send(method, path, contentType string, body []byte) *Page {
	c.t.Helper()
	return c.do(method, path, contentType, body, "")
}

// postFrom sends a form that stood on the page at from.
func (c *Client) postFrom(from, path string, form url.Values) *Page {
	c.t.Helper()
	return c.do(http.MethodPost, path, "application/x-www-form-urlencoded", []byte(form.Encode()), from)
}

func (c *Client) do(method, path, contentType string, body []byte, from string) *Page {
	c.t.Helper()
	r := httptest.NewRequestWithContext(c.t.Context(), method, "http://"+host+path, bytes.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	if method != http.MethodGet {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if from != "" {
		r.Header.Set("Referer", "http://"+host+from)
	}
	maps.Copy(r.Header, c.Header)
	for _, cookie := range c.jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	w := httptest.NewRecorder()
	c.site.Handler.ServeHTTP(w, r)
	resp := w.Result()
	c.jar.SetCookies(r.URL, resp.Cookies())
	return newPage(c, r, resp, w.Body.Bytes())
}
