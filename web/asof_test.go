package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"demarc/store/posture"
	"demarc/web/webtest"
)

func TestAPastDaySaysSoAndIsKept(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Admin)
	c.Get("/help/words").Status(http.StatusOK).HasNot(".ban.asof").Says(".drop.asof summary", "Today")
	p := c.Get("/help/words?as_of=2026-10-31&x=1").Status(http.StatusOK)
	p.Says(".ban.asof", "As of 31 Oct 2026.").Says(".ban.asof", "nothing can be changed from here").Says(".foot", "Judged 31 Oct 2026 23:59 UTC")
	if got := p.Attr(".ban.asof a", "href"); got != "/help/words?x=1" {
		t.Errorf("back to today leads to %q", got)
	}
	for _, href := range p.Doc.Find(".nav a").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("href", "") }) {
		if !strings.Contains(href, "as_of=2026-10-31") {
			t.Errorf("the bar leads to %q and forgets the day", href)
		}
	}
	if got := p.Attr(".drop.asof form input[name=x]", "value"); got != "1" {
		t.Errorf("the form of the day keeps x=%q", got)
	}
	p.Submit(".drop.asof form", url.Values{"as_of": {"2026-10-30"}}).Says(".ban.asof", "As of 30 Oct 2026.")
	c.Get("/help/words?as_of=2026-10-31&known=2026-11-15").Says(".ban.asof", "on what was known by 15 Nov 2026")
	c.Get("/account?as_of=2026-10-31").HasNot(".ban.asof").Says(".ban", "This page has no past").HasNot(".foot p:nth-child(2)")
	c.Get("/help/words?as_of=2026-11-30").Status(http.StatusOK).HasNot(".ban.asof")
}

func TestADayThatCannotBeRead(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	for day, says := range map[string]string{
		"2026-12-01": "today, 30 Nov 2026",
		"soon":       "as_of=2026-10-31",
		"2026-13-01": "as_of=2026-10-31",
	} {
		p := c.Get("/help/words?as_of=" + day).Status(http.StatusUnprocessableEntity)
		p.Says("main", says)
		if got := p.Attr(".empty a", "href"); got != "/help/words" {
			t.Errorf("%s: the way on leads to %q", day, got)
		}
	}
}

func TestNothingIsChangedFromAPastDay(t *testing.T) {
	t.Parallel()
	c := webtest.New(t).As(t, posture.Viewer)
	c.Post("/account/theme?as_of=2026-10-31", url.Values{"theme": {"dark"}}).
		Status(http.StatusConflict).Says("main", "can be read, not changed")
	c.Get("/account").HasNot("html[data-theme]")
}
