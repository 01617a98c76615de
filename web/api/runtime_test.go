package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/web/api"
)

func TestARuntimeFromNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	sent := map[string]any{
		"slug": "coding-agent", "name": "Coding agent", "purpose": "Keeps one team’s agent from the host, by a microVM.", "stage": "in_use",
		"owner": "Dev Tools", "risk_owner": "D. Ekström", "data_class": "internal", "criticality": "high", "profile": "coding_agent",
		"intents":  map[string]any{"FS": map[string]any{"purpose": "intended", "text": "from the host"}, "ME": map[string]any{"purpose": "not_intended", "text": "one tenant"}},
		"identity": map[string]any{"vendor": "V", "product": "P", "variant": "microvm", "image": "sha256:9f2c41ab"},
	}
	answer := p.call(http.MethodPost, "/runtimes", sent).status(http.StatusCreated)
	if got := answer.Header.Get("Location"); got != "/api/v1/runtimes/coding-agent" {
		t.Errorf("made at %q", got)
	}
	var made, read api.Runtime
	answer.into(&made)
	p.call(http.MethodGet, "/runtimes/coding-agent", nil).status(http.StatusOK).into(&read)
	if mustJSON(t, made) != mustJSON(t, read) {
		t.Errorf("made %s\nread %s", mustJSON(t, made), mustJSON(t, read))
	}
	if made.Stage != "in_use" || made.Criticality != "high" || made.Version != 1 || made.Intents["ME"].Purpose != "not_intended" ||
		made.Intents["FS"].Text != "from the host" || made.Target.Identity.Image != "sha256:9f2c41ab" || !strings.Contains(made.ChangedBy, "a test") {
		t.Errorf("made %s", mustJSON(t, made))
	}
	again := p.call(http.MethodPost, "/runtimes", sent).status(http.StatusUnprocessableEntity).problem()
	if len(again.Errors) != 1 || again.Errors[0].Location != "body.slug" {
		t.Errorf("the same slug again: %s", mustJSON(t, again))
	}
}

func TestAChangeNamesTheVersionItStartedFrom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	var first, second api.Runtime
	p.call(http.MethodGet, "/runtimes/case-assistant", nil).into(&first)
	p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{
		"version": first.Version, "owner": "Platform", "stage": "evaluation", "multi_tenant": false, "intents": map[string]any{"NW": map[string]any{"purpose": "intended"}},
	}).status(http.StatusOK).into(&second)
	if second.Version != first.Version+1 || second.Owner != "Platform" || second.Stage != "evaluation" || second.MultiTenant {
		t.Errorf("changed to %s", mustJSON(t, second))
	}
	if second.RiskOwner != first.RiskOwner || second.DataClass != first.DataClass || second.Intents["NW"].Purpose != "intended" {
		t.Errorf("what was left out moved: %s", mustJSON(t, second))
	}
	stale := p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"version": first.Version, "owner": "Me"}).status(http.StatusConflict)
	if got := stale.problem().Detail; !strings.Contains(got, "version 2") {
		t.Errorf("conflict says %q", got)
	}
	p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"owner": "Me"}).status(http.StatusUnprocessableEntity)
	p.call(http.MethodPatch, "/runtimes/case-assistant?as_of=2026-11-01", map[string]any{"version": 2}).status(http.StatusUnprocessableEntity)
	p.call(http.MethodPatch, "/runtimes/none", map[string]any{"version": 1}).status(http.StatusNotFound)
	p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"version": 2, "retired": true}).status(http.StatusUnprocessableEntity)
	var gone api.Runtime
	p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"version": 2, "retired": true, "retired_because": "replaced"}).status(http.StatusOK).into(&gone)
	if !gone.Retired || gone.RetiredBecause != "replaced" {
		t.Errorf("retired: %s", mustJSON(t, gone))
	}
}

func TestRuntimesAreListedInPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	for i := range 4 {
		stage := []string{"design", "evaluation"}[i%2]
		p.call(http.MethodPost, "/runtimes", map[string]any{"slug": fmt.Sprintf("r%d", i), "profile": "first_review", "stage": stage, "owner": "X"}).status(http.StatusCreated)
	}
	var slugs []string
	next := ""
	for range 5 {
		var page api.RuntimesBody
		p.call(http.MethodGet, "/runtimes?limit=2&after="+next, nil).status(http.StatusOK).into(&page)
		if page.Total != 5 {
			t.Errorf("total %d", page.Total)
		}
		for i := range page.Items {
			slugs = append(slugs, page.Items[i].Slug)
		}
		if next = page.Next; next == "" {
			break
		}
	}
	if !slices.Equal(slugs, []string{"case-assistant", "r0", "r1", "r2", "r3"}) {
		t.Errorf("pages list %q", slugs)
	}
	for query, want := range map[string][]string{
		"stage=design": {"r0", "r2"}, "owner=Agent+Apps": {"case-assistant"}, "find=assist": {"case-assistant"},
		"reading=against": nil, "stage=evaluation&owner=X": {"r1", "r3"},
	} {
		var page api.RuntimesBody
		p.call(http.MethodGet, "/runtimes?"+query, nil).status(http.StatusOK).into(&page)
		var got []string
		for i := range page.Items {
			got = append(got, page.Items[i].Slug)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s lists %q, want %q", query, got, want)
		}
	}
}

func TestPostureAsOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Viewer)
	failed := w.failed(t, "SD-05")
	w.DB.Clock.Add(48 * time.Hour)
	read := func(query string) (api.PostureBody, api.Statement) {
		t.Helper()
		var body api.PostureBody
		p.call(http.MethodGet, "/runtimes/case-assistant/posture"+query, nil).status(http.StatusOK).into(&body)
		i := slices.IndexFunc(body.Statements, func(s api.Statement) bool { return s.Statement == "AD-1" })
		if i < 0 {
			t.Fatalf("no AD-1 in %s", mustJSON(t, body))
		}
		return body, body.Statements[i]
	}
	now, ad := read("")
	if ad.Verdict.Label != "contradicted" || !slices.Equal(ad.Verdict.Hard, []string{failed.ID}) || ad.Discrepancy != "D-1" || ad.Subject.Slug != "document-search" ||
		ad.Column != "receivers" || ad.Required == nil || ad.Required.Rung != "tested" || !strings.HasPrefix(ad.Sentence, "A session must not") {
		t.Errorf("AD-1 reads %s", mustJSON(t, ad))
	}
	if !now.At.Equal(w.DB.Clock.Now()) || !now.Known.Equal(now.At) || now.Open != 1 || now.Evidence != 1 || now.Counts.Receivers.ByLabel["contradicted"] != 1 {
		t.Errorf("posture %s", mustJSON(t, now))
	}
	if len(now.Cells) != 11 {
		t.Errorf("%d cells", len(now.Cells))
	}
	for _, c := range now.Cells {
		if c.Outside != (c.Label == nil) {
			t.Errorf("cell %s", mustJSON(t, c))
		}
	}
	then, ad := read("?as_of=2026-11-30")
	if ad.Verdict.Label != "contradicted" || then.At.Format(time.RFC3339) != "2026-11-30T23:59:59Z" {
		t.Errorf("then %s at %s", ad.Verdict.Label, then.At)
	}
	other, _ := read("?as_of=2026-11-30&known=2026-12-01")
	if other.Known.Format(time.DateOnly) != "2026-12-01" || other.At.Format(time.DateOnly) != "2026-11-30" {
		t.Errorf("two clocks: %s, %s", other.At, other.Known)
	}
	p.call(http.MethodGet, "/runtimes/case-assistant/posture?as_of=2026-11-29", nil).status(http.StatusNotFound)
}

// TestEveryReadHasItsDay reads each address before anything was there.
func TestEveryReadHasItsDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.failed(t, "SD-05")
	p := w.as(t, posture.Viewer)
	for _, path := range []string{"/runtimes/case-assistant", "/components/document-search", "/evidence/E-0001", "/discrepancies/D-1"} {
		p.call(http.MethodGet, path, nil).status(http.StatusOK)
		p.call(http.MethodGet, path+"?as_of=2026-11-29", nil).status(http.StatusNotFound)
	}
	for _, path := range []string{"/runtimes", "/components", "/evidence", "/discrepancies"} {
		for query, want := range map[string]int{"": 1, "?as_of=2026-11-29": 0} {
			var list struct{ Items []any }
			p.call(http.MethodGet, path+query, nil).status(http.StatusOK).into(&list)
			if len(list.Items) != want {
				t.Errorf("%s%s lists %d, want %d", path, query, len(list.Items), want)
			}
		}
	}
}

func TestComponentsAndTheirLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	answer := p.call(http.MethodPost, "/components", map[string]any{
		"slug": "mail", "kind": "tool_server", "name": "Mail", "owner": "Mail team", "shared": true, "criticality": "high", "identity": map[string]any{"vendor": "Us"},
	}).status(http.StatusCreated)
	var made, read api.Component
	answer.into(&made)
	if got := answer.Header.Get("Location"); got != "/api/v1/components/mail" || made.Criticality != "high" || made.Target.Identity.Vendor != "Us" || !made.Shared {
		t.Errorf("made at %q: %s", got, mustJSON(t, made))
	}
	p.call(http.MethodGet, "/components/mail", nil).status(http.StatusOK).into(&read)
	if mustJSON(t, made) != mustJSON(t, read) {
		t.Errorf("read %s", mustJSON(t, read))
	}
	p.call(http.MethodPost, "/components", map[string]any{"slug": "x", "kind": "castle"}).status(http.StatusUnprocessableEntity)

	users := func() int {
		var page api.ComponentsBody
		p.call(http.MethodGet, "/components?find=mail", nil).status(http.StatusOK).into(&page)
		if len(page.Items) != 1 {
			t.Fatalf("%d components", len(page.Items))
		}
		return page.Items[0].Users
	}
	link := "/runtimes/case-assistant/components/mail"
	for range 2 {
		p.call(http.MethodPut, link, nil).status(http.StatusNoContent)
		if users() != 1 {
			t.Errorf("%d users", users())
		}
		w.DB.Clock.Add(time.Minute)
	}
	p.call(http.MethodDelete, link, nil).status(http.StatusNoContent)
	if users() != 0 {
		t.Errorf("%d users after the end", users())
	}
	p.call(http.MethodPut, "/runtimes/case-assistant/components/none", nil).status(http.StatusNotFound)
	p.call(http.MethodPut, "/runtimes/none/components/mail", nil).status(http.StatusNotFound)
	var page api.ComponentsBody
	p.call(http.MethodGet, "/components?limit=1", nil).into(&page)
	if page.Next != "document-search" {
		t.Errorf("next %q", page.Next)
	}
	p.call(http.MethodGet, "/components?limit=1&after="+page.Next, nil).into(&page)
	if len(page.Items) != 1 || page.Items[0].Slug != "mail" {
		t.Errorf("second page %s", mustJSON(t, page))
	}
}
