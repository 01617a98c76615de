package web_test

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"demarc/web/webtest"
)

// axe is axe-core 4.14.1 (MPL-2.0, testdata/axe.LICENSE.txt), a test tool.
//
//go:embed testdata/axe.min.js
var axe string

// chrome is the one browser of the test process. Where none is installed the
// tests that need it fail: a page that nobody has opened is not known to work.
var chrome struct {
	once   sync.Once
	ctx    context.Context
	cancel []context.CancelFunc
	err    error
}

func startBrowser() {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	chrome.ctx, chrome.cancel = ctx, []context.CancelFunc{cancel, stop}
	chrome.err = chromedp.Do(ctx)
}

// stopBrowser ends the browser after the last test.
func stopBrowser() {
	for _, cancel := range chrome.cancel {
		cancel()
	}
}

// tab is one page open in the browser.
type tab struct {
	t        testing.TB
	ctx      context.Context
	address  string
	messages func(func(chromedp.ConsoleMessage, error) bool)
}

// visit opens a page as the client's person, in a theme ("light" or "dark") at
// a width in pixels. It fails the test on any message of the console that
// warns or worse, on a violation that axe finds, on a glyph that draws nothing,
// and on a page that scrolls sideways at any of the usual widths.
func visit(t *testing.T, c *webtest.Client, path, theme string, width int) *tab {
	t.Helper()
	v := open(t, c, path, theme, width)
	v.check()
	v.fits(width)
	return v
}

// fits fails the test on a page that scrolls sideways at any of the usual
// widths, and comes back to width.
func (v *tab) fits(width int) {
	v.t.Helper()
	for _, w := range []int64{390, 768, 1100, 1280, 1440, 1920} {
		v.do(chromedp.EmulateViewport(w, 900))
		if wide := run(v, chromedp.Evaluate[int](sideways)); wide > 0 {
			v.t.Errorf("%s: at %d px the page is %d px wider than the window", v.address, w, wide)
		}
	}
	v.do(chromedp.EmulateViewport(int64(width), 900))
}

// sideways gives by how much the page is wider than the window.
const sideways = `document.documentElement.scrollWidth - document.documentElement.clientWidth`

// open opens a page without looking at it.
func open(t *testing.T, c *webtest.Client, path, theme string, width int) *tab {
	t.Helper()
	server := c.Serve()
	return openAt(t, server, path, append(c.Cookies(), &http.Cookie{Name: "theme", Value: theme}), width)
}

// openAt opens a page of any server with cookies.
func openAt(t *testing.T, server, path string, cookies []*http.Cookie, width int) *tab {
	t.Helper()
	chrome.once.Do(startBrowser)
	if chrome.err != nil {
		t.Fatalf("page tests need Chromium (apt-get install chromium): %v", chrome.err)
	}
	ctx, cancel := chromedp.NewContext(chrome.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, expire := context.WithTimeout(ctx, time.Minute)
	t.Cleanup(expire)
	v := &tab{t: t, ctx: ctx, address: server + path, messages: chromedp.Console(ctx)}
	for _, cookie := range cookies {
		params := network.SetCookieParams{Name: cookie.Name, Value: cookie.Value, URL: server}
		if _, err := chromedp.Call(ctx, network.SetCookie, params); err != nil {
			t.Fatalf("set a cookie: %v", err)
		}
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate(v.address)); err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	return v
}

// do runs actions on the page.
func (v *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatalf("%s: %v", v.address, err)
	}
}

// run runs an action on the page and gives its value.
func run[T any](v *tab, action chromedp.Action[T]) T {
	v.t.Helper()
	value, err := chromedp.Run(v.ctx, action)
	if err != nil {
		v.t.Fatalf("%s: %v", v.address, err)
	}
	return value
}

// axeRun gives one line a violation.
const axeRun = `axe.run(document, {runOnly: {type: "tag", values:
	["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}})
	.then(r => r.violations.map(v => v.id + ": " + v.help + "\n  " + v.nodes.map(n => n.html + "\n    " + n.failureSummary).join("\n  ")))`

// missingGlyphs lists the <use> elements that draw nothing.
const missingGlyphs = `[...document.querySelectorAll("use")].filter(u => u.getBoundingClientRect().width === 0 &&
	u.closest("svg").getClientRects().length > 0).map(u => u.getAttribute("href"))`

const endMark = "visit: end"

// check fails the test on what visit promises.
func (v *tab) check() {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](axe))
	for _, violation := range run(v, chromedp.Evaluate[[]string](axeRun, chromedp.EvalAwaitPromise)) {
		v.t.Errorf("%s: axe: %s", v.address, violation)
	}
	for _, href := range run(v, chromedp.Evaluate[[]string](missingGlyphs)) {
		v.t.Errorf("%s: the glyph %s draws nothing", v.address, href)
	}
	v.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("console.log(%q)", endMark)))
	for m, err := range v.messages {
		if err != nil {
			v.t.Fatalf("%s: read the console: %v", v.address, err)
		}
		if m.Text == endMark {
			return
		}
		if v.counts(m) {
			v.t.Errorf("%s: console: %s", v.address, m)
		}
	}
}

// counts says whether a message is a fault. Chromium reports the status of the
// page itself, which a test may have asked for.
func (v *tab) counts(m chromedp.ConsoleMessage) bool {
	if m.Source == "network" && m.URL == v.address && strings.Contains(m.Text, "status of 4") {
		return false
	}
	switch m.Type {
	case chromedp.ConsoleError, chromedp.ConsoleException, chromedp.ConsoleWarning:
		return true
	default:
		return false
	}
}
