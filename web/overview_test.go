package web_test

import (
	"net/http"
	"strings"
	"testing"

	"demarc/store/posture"
	"demarc/web/webtest"
)

// The bar of the overview: at most 12 statements for the whole request, the
// session and the reader's desk included.
const mostStatements = 12

func TestOverviewTellsTheStoryInTwelveStatements(t *testing.T) {
	t.Parallel()
	site := sampleSite(t)
	c := site.As(t, posture.Viewer)
	c.Get("/")
	site.DB.Counter.Reset()
	page := c.Get("/").Status(http.StatusOK)
	if sent := site.DB.Counter.Statements(); len(sent) > mostStatements {
		t.Errorf("%d statements, at most %d:\n%s", len(sent), mostStatements, strings.Join(sent, "\n---\n"))
	}
	page.Says(".counts", "required statements tested on the running configuration").
		Says("[data-v=contradicted] a[href='/runtimes/case-assistant/cells/AD']", "contradicted").
		Has(".mx .gut")
}

func TestPagesOfTheSampleKeepTheirStatements(t *testing.T) {
	t.Parallel()
	site := sampleSite(t)
	c := site.As(t, posture.Admin)
	for _, path := range samplePages {
		c.Get(path)
		site.DB.Counter.Reset()
		c.Get(path).Status(http.StatusOK)
		if sent := site.DB.Counter.Statements(); len(sent) > mostStatements {
			t.Errorf("%s: %d statements, at most %d:\n%s", path, len(sent), mostStatements, strings.Join(sent, "\n---\n"))
		}
	}
}

func TestOverviewBeforeAnythingIsRecorded(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	site.As(t, posture.Editor).Get("/").Status(http.StatusOK).Has(".empty a[href='/runtimes/new']")
	site.As(t, posture.Viewer).Get("/").Status(http.StatusOK).HasNot("a[href='/runtimes/new']")
}

// What a reader must find at once: what is wrong with case-assistant, whose it
// is, what to do next, and what the green test does not show.
func TestCaseAssistantAtAGlance(t *testing.T) {
	t.Parallel()
	c := sampleSite(t).As(t, posture.Viewer)
	c.Get("/runtimes/case-assistant").Status(http.StatusOK).
		Says("section[aria-labelledby=h-wrong]", "must not obtain another tenant’s record").
		Says("section[aria-labelledby=h-wrong]", "R. Banerjee").
		Says("section[aria-labelledby=h-wrong]", "Ines Marchetti").
		Says("section[aria-labelledby=h-execution]", "1 of 19 tested")
	cell := c.Get("/runtimes/case-assistant/cells/AD").Status(http.StatusOK)
	cell.Says(".two [aria-label='Execution isolation']", "tested").
		Says(".two [aria-label='Authorisation at the receiver']", "contradicted").
		Says("#AD-1 .verdict-head", "R. Banerjee").
		Says("#AD-1 aside", "Next cheapest step").
		Says("#AD-1 aside", "What this does not show").
		Says("#AD-1 .tl", "release s6")
	c.Get("/runtimes/case-assistant/cells/FS").Status(http.StatusOK).
		Says("#FS-1 .v.big", "tested").
		Says("#FS-1 aside", "What this does not show")
}

// A moment of the past reads as it read then.
func TestTheTimelineJudgesOnTheTargetOfThen(t *testing.T) {
	t.Parallel()
	c := sampleSite(t).As(t, posture.Viewer)
	var then []string
	for _, label := range c.Get("/runtimes/case-assistant/cells/AD").Texts("#AD-1 .tl .then .v") {
		if len(then) == 0 || then[len(then)-1] != label {
			then = append(then, label)
		}
	}
	want := "contradicted stale tested contradicted accepted risk contradicted"
	if got := strings.Join(then, " "); !strings.HasPrefix(got, "contradicted stale tested ") || !strings.HasSuffix(got, "contradicted accepted risk contradicted") {
		t.Errorf("newest first: %s, want about %s", got, want)
	}
}

func TestAPastDayIsReadAndSaidSo(t *testing.T) {
	t.Parallel()
	c := sampleSite(t).As(t, posture.Editor)
	page := c.Get("/runtimes/case-assistant?as_of=2026-10-14").Status(http.StatusOK)
	page.Says(".ban.asof", "14 Oct 2026").HasNot(".acts a[href$='/edit']")
	page.Says("section[aria-labelledby=h-execution]", "tested").HasNot("[data-v=contradicted]")
	c.Get("/runtimes/nothing-here").Status(http.StatusNotFound)
	c.Get("/runtimes/case-assistant/cells/XX").Status(http.StatusNotFound)
	c.Get("/dependencies/document-search/cells/AD-1").Status(http.StatusOK).Says(".v.big", "contradicted")
	c.Get("/dependencies/document-search/cells/XX-1").Status(http.StatusNotFound)
}
