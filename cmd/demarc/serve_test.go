package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// folder gives a data directory that PostgreSQL's user can reach.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "demarc-cmd-") //nolint:usetesting // the test's own folder is closed to the user PostgreSQL runs as
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// output collects what a running command writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// running is a demarc that serves until stop is called.
type running struct {
	out, err output
	stop     context.CancelFunc
	done     chan int
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{stop: cancel, done: make(chan int, 1)}
	e := &env{Stdin: strings.NewReader(""), Stdout: &r.out, Stderr: &r.err, Getenv: os.Getenv}
	go func() { r.done <- run(ctx, args, e) }()
	t.Cleanup(func() { r.end(t, exitDone) })
	return r
}

// end stops the command, once, and wants its exit code.
func (r *running) end(t *testing.T, want int) {
	t.Helper()
	r.stop()
	if code, open := <-r.done; open {
		close(r.done)
		if code != want {
			t.Errorf("exit code %d, want %d: %s", code, want, r.err.String())
		}
	}
}

var link = regexp.MustCompile(`http://\S+`)

// address waits for the address that the server prints.
func (r *running) address(t *testing.T) *url.URL {
	t.Helper()
	for range 600 {
		if found := link.FindString(r.out.String()); found != "" && strings.Contains(r.out.String(), "\n") {
			u, err := url.Parse(found)
			if err != nil {
				t.Fatal(err)
			}
			return u
		}
		select {
		case code := <-r.done:
			close(r.done)
			t.Fatalf("ended with %d: %s", code, r.err.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatalf("no address after 30 s: %s", r.err.String())
	return nil
}

func get(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// The README's first command: the link it prints makes an administrator, who
// then sees the sample; a second start keeps both and prints no link.
func TestServeDemoFromNothing(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	first := start(t, "serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir", dir)
	base := first.address(t)
	setup := ""
	for _, l := range link.FindAllString(first.out.String(), -1) {
		if strings.Contains(l, "/setup/") {
			setup = l
		}
	}
	if setup == "" {
		t.Fatalf("no set-up link: %s", first.out.String())
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	form := url.Values{"name": {"Ines Marchetti"}, "email": {"ines@example.org"}, "password": {"a long enough sentence"}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, setup, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := browser.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), "case-assistant") {
		t.Fatalf("after set-up: %d %v\n%s", res.StatusCode, err, body)
	}
	first.end(t, exitDone)

	second := start(t, "serve", "--demo", "--listen", "127.0.0.1:0", "--data-dir", dir)
	again := second.address(t)
	if strings.Contains(second.out.String(), "/setup/") {
		t.Errorf("a second start prints a set-up link: %s", second.out.String())
	}
	if code, _ := get(t, browser, "http://"+again.Host+"/readyz"); code != http.StatusOK {
		t.Errorf("/readyz of the second start: %d", code)
	}
	if base.Host == again.Host {
		t.Errorf("both starts got %s", base.Host)
	}
}

func TestServeOnAPortInUse(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var out, errs output
	code := run(t.Context(), []string{"serve", "--listen", taken.Addr().String(), "--data-dir", folder(t)},
		&env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv})
	if code != exitInput || !strings.Contains(errs.String(), "--listen") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}

// A command joins the PostgreSQL of a running server.
func TestCommandsJoinARunningServer(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	start(t, "serve", "--listen", "127.0.0.1:0", "--data-dir", dir).address(t)
	var out, errs output
	e := &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	if code := run(t.Context(), []string{"doctor", "--data-dir", dir}, e); code != exitDone {
		t.Errorf("doctor: exit code %d: %s%s", code, out.String(), errs.String())
	}
	if code := run(t.Context(), []string{"user", "reset", "nobody@example.org", "--data-dir", dir}, e); code != exitInput {
		t.Errorf("user reset of nobody: exit code %d: %s", code, errs.String())
	}
	for _, want := range []string{"schema version", "held by row-level security", "rows"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("doctor says nothing of %q: %s", want, out.String())
		}
	}
}
