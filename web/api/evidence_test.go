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

// deny is a test whose case should have been refused.
func deny(outcome, name string) map[string]any {
	return map[string]any{
		"subject": map[string]any{"kind": "receiver", "slug": "document-search"}, "kind": "test", "statement": "AD-1",
		"identity":    map[string]any{"vendor": "Us", "product": "Search", "variant": "default", "version": "s4", "policy": "sha256:5be1c07d", "config": "sc1", "region": "eu"},
		"observed_at": "2026-11-30T12:30:00+01:00", "run": "run 3", "case": name, "expected": "deny", "outcome": outcome, "control_ok": true,
		"observed_behaviour": "archive of 212 records", "tester": "T. Arroyo", "path": "bulk export", "direction": "Acme → Birch",
	}
}

func TestRecordingMovesVerdicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	answer := p.call(http.MethodPost, "/evidence", deny("fail", "SD-05")).status(http.StatusCreated)
	var made api.RecordedBody
	answer.into(&made)
	if got := answer.Header.Get("Location"); got != "/api/v1/evidence/"+made.Record.ID {
		t.Errorf("kept at %q", got)
	}
	r := made.Record
	if r.Polarity != "contradicts" || *r.Expected != "deny" || *r.Outcome != "fail" || r.RunName != "run 3" || r.Identity.Version != "s4" ||
		!r.ObservedAt.Equal(time.Date(2026, 11, 30, 11, 30, 0, 0, time.UTC)) || r.Method != "test" || r.SourceRole != "customer" {
		t.Errorf("kept as %s", mustJSON(t, r))
	}
	if len(made.Moved) != 1 || made.Moved[0].To != "contradicted" || made.Moved[0].Statement != "AD-1" || made.Moved[0].On != "document-search" {
		t.Errorf("moved %s", mustJSON(t, made.Moved))
	}
	var read api.Record
	p.call(http.MethodGet, "/evidence/"+strings.ToLower(r.ID), nil).status(http.StatusOK).into(&read)
	if mustJSON(t, read) != mustJSON(t, r) {
		t.Errorf("read %s", mustJSON(t, read))
	}
	p.call(http.MethodGet, "/evidence/1", nil).status(http.StatusOK)
}

func TestRecordsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	for name, c := range map[string]struct {
		change func(map[string]any)
		code   int
		at     string
	}{
		"expected is never guessed": {func(m map[string]any) { delete(m, "expected") }, http.StatusUnprocessableEntity, "body.expected"},
		"no such outcome":           {func(m map[string]any) { m["outcome"] = "green" }, http.StatusUnprocessableEntity, "body.outcome"},
		"a side for a test":         {func(m map[string]any) { m["polarity"] = "supports" }, http.StatusUnprocessableEntity, "body.polarity"},
		"not seen yet":              {func(m map[string]any) { m["observed_at"] = "2027-01-01T00:00:00Z" }, http.StatusUnprocessableEntity, "body.observed_at"},
		"judged elsewhere":          {func(m map[string]any) { m["statement"] = "FS-1" }, http.StatusUnprocessableEntity, "body.statement"},
		"no such component": {func(m map[string]any) {
			m["subject"] = map[string]any{"kind": "receiver", "slug": "none"}
		}, http.StatusNotFound, ""},
		"a facet that is none": {func(m map[string]any) { m["identity"] = map[string]any{"colour": "blue"} }, http.StatusUnprocessableEntity, "body.identity.colour"},
	} {
		body := deny("fail", "SD-05")
		c.change(body)
		got := p.call(http.MethodPost, "/evidence", body).status(c.code).problem()
		if c.at != "" && (len(got.Errors) == 0 || got.Errors[0].Location != c.at) {
			t.Errorf("%s: %s", name, mustJSON(t, got))
		}
	}
	procurement := w.as(t, posture.Procurement)
	procurement.call(http.MethodPost, "/evidence", deny("fail", "SD-05")).status(http.StatusForbidden)
	claim := map[string]any{
		"subject": map[string]any{"kind": "unit", "slug": "case-assistant"}, "kind": "documentation", "statement": "FS-1", "polarity": "supports",
		"identity": map[string]any{"vendor": "V", "product": "P", "variant": "microvm", "region": "any"}, "observed_at": "2026-11-01T00:00:00Z",
		"words": "Each session has its own files.", "url": "https://docs.example/files",
	}
	var made api.RecordedBody
	procurement.call(http.MethodPost, "/evidence", claim).status(http.StatusCreated).into(&made)
	if made.Record.Expected != nil || made.Record.Outcome != nil || made.Record.Polarity != "supports" || made.Record.SourceRole != "vendor" {
		t.Errorf("kept as %s", mustJSON(t, made.Record))
	}
}

func TestEvidenceIsListedInPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	for i := range 5 {
		p.call(http.MethodPost, "/evidence", deny([]string{"fail", "pass"}[i%2], fmt.Sprintf("c%d", i))).status(http.StatusCreated)
		w.DB.Clock.Add(time.Minute)
	}
	var cases []string
	next := ""
	for range 4 {
		var page api.RecordsBody
		p.call(http.MethodGet, "/evidence?limit=2&after="+next, nil).status(http.StatusOK).into(&page)
		for i := range page.Items {
			cases = append(cases, page.Items[i].Case)
		}
		if next = page.Next; next == "" {
			break
		}
	}
	if !slices.Equal(cases, []string{"c4", "c3", "c2", "c1", "c0"}) {
		t.Errorf("pages list %q", cases)
	}
	for query, want := range map[string]int{
		"side=against": 3, "side=for": 2, "component=document-search": 5, "runtime=case-assistant": 5, "statement=AD-1": 5, "statement=AD-2": 0,
		"kind=test": 5, "kind=incident": 0, "side=against&kind=test&component=document-search": 3,
	} {
		var page api.RecordsBody
		p.call(http.MethodGet, "/evidence?"+query, nil).status(http.StatusOK).into(&page)
		if len(page.Items) != want {
			t.Errorf("%s lists %d, want %d", query, len(page.Items), want)
		}
	}
}

func TestDiscrepanciesForPrograms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Viewer)
	first := w.failed(t, "SD-05")
	w.failed(t, "SD-01")
	again := w.failed(t, "SD-05")
	closer := w.tester
	closer.Actor, closer.Name = "test:closer", "P. Haas"
	for _, r := range []posture.Record{first, again} {
		closure := posture.ClosureRecord{Text: "the fixture was missing"}
		closure.Closes, closure.Kind = r.ID, posture.TestInvalid
		if _, _, err := w.DB.Store.CloseEvidence(t.Context(), closer, closure); err != nil {
			t.Fatal(err)
		}
	}
	for query, want := range map[string][]string{
		"": {"D-2"}, "state=open": {"D-2"}, "state=closed": {"D-1"}, "state=all": {"D-2", "D-1"}, "state=all&limit=1": {"D-2"},
		"state=all&after=2": {"D-1"}, "owner=r.+banerjee": {"D-2"}, "owner=nobody": nil, "runtime=case-assistant": {"D-2"},
		"component=document-search": {"D-2"}, "kind=evidence_missing": nil,
	} {
		var page api.DiscrepanciesBody
		p.call(http.MethodGet, "/discrepancies?"+query, nil).status(http.StatusOK).into(&page)
		var got []string
		for i := range page.Items {
			got = append(got, page.Items[i].ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
	}
	var d api.Discrepancy
	p.call(http.MethodGet, "/discrepancies/d-1", nil).status(http.StatusOK).into(&d)
	if d.Open || d.State != "closed" || len(d.Sightings) != 2 || d.Sightings[0].Evidence != again.ID || d.Sightings[0].Identity.Version != "s4" ||
		d.Case != "SD-05" || d.Owner != "R. Banerjee" || d.Subject.Kind != "receiver" || d.Kind != "boundary_failed" {
		t.Errorf("D-1 is %s", mustJSON(t, d))
	}
}

// TestTheInterfaceAsksLittleOfTheDatabase pins how many statements an answer
// takes, the token's own included.
func TestTheInterfaceAsksLittleOfTheDatabase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 6 {
		w.failed(t, fmt.Sprintf("c%d", i))
	}
	p := w.as(t, posture.Viewer)
	for path, most := range map[string]int{
		"/runtimes": 8, "/runtimes/case-assistant": 3, "/runtimes/case-assistant/posture": 11, "/components": 6,
		"/components/document-search": 3, "/evidence": 3, "/evidence/E-0001": 3, "/discrepancies": 6, "/discrepancies/D-1": 6,
	} {
		p.call(http.MethodGet, path, nil).status(http.StatusOK)
		w.DB.Counter.Reset()
		p.call(http.MethodGet, path, nil).status(http.StatusOK)
		if sent := w.DB.Counter.Statements(); len(sent) > most {
			t.Errorf("%s sends %d statements, at most %d", path, len(sent), most)
		}
	}
}
