package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/api"
)

func TestOnlyATokenOpensTheInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.as(t, posture.Viewer)
	good.call(http.MethodGet, "/runtimes", nil).status(http.StatusOK)
	for name, header := range map[string]string{
		"none": "", "another scheme": "Basic " + good.Token, "empty": "Bearer ", "unknown": "Bearer demarc_unknown", "no token of ours": "Bearer x",
		"longer": "Bearer " + good.Token + "x",
	} {
		for _, path := range []string{"/runtimes", "/openapi.json", "/nowhere"} {
			p := &program{t: t, world: w, Header: http.Header{}}
			if header != "" {
				p.Header.Set("Authorization", header)
			}
			got := p.raw(http.MethodGet, path, nil).status(http.StatusUnauthorized)
			got.problem()
			if !strings.HasPrefix(got.Header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("%s: says nothing of how to sign in", name)
			}
		}
	}
}

func TestASessionDoesNotOpenTheInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin := w.As(t, posture.Admin)
	if got := admin.Get("/api/v1/runtimes"); got.Code != http.StatusUnauthorized || got.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("a session gets %d, %s", got.Code, got.Body)
	}
	if got := w.as(t, posture.Viewer).raw(http.MethodGet, "/runtimes", nil); len(got.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("an answer sets %q", got.Header.Values("Set-Cookie"))
	}
}

func TestRevokedAndExpiredTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	admin := storetest.As(posture.Admin)
	p := w.as(t, posture.Viewer)
	late := w.as(t, posture.Viewer)
	tokens, err := w.DB.Store.Tokens(t.Context(), admin)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.DB.Store.RevokeToken(t.Context(), admin, tokens[1].ID); err != nil {
		t.Fatal(err)
	}
	w.DB.Clock.Add(time.Minute)
	p.call(http.MethodGet, "/runtimes", nil).status(http.StatusUnauthorized)
	late.call(http.MethodGet, "/runtimes", nil).status(http.StatusOK)
	w.DB.Clock.Add(31 * 24 * time.Hour)
	late.call(http.MethodGet, "/runtimes", nil).status(http.StatusUnauthorized)
}

func TestRolesOfTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, role := range posture.Roles() {
		if role == posture.Admin {
			continue
		}
		p := w.as(t, role)
		may := posture.Access{Role: role}.May(posture.EditInventory)
		want := http.StatusForbidden
		if may {
			want = http.StatusCreated
		}
		slug := strings.ReplaceAll(role.String(), "_", "-")
		made := p.call(http.MethodPost, "/runtimes", map[string]any{"slug": slug, "profile": "first_review"}).status(want)
		p.call(http.MethodGet, "/runtimes/case-assistant/posture", nil).status(http.StatusOK)
		if !may {
			if got := made.problem(); !strings.Contains(got.Detail, role.Words()) {
				t.Errorf("%s is told %q", role, got.Detail)
			}
			p.call(http.MethodDelete, "/runtimes/case-assistant/components/document-search", nil).status(http.StatusForbidden)
			p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"version": 1, "owner": "me"}).status(http.StatusForbidden)
		}
	}
}

func TestTokensReachTheirPortfoliosAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.DB.Store.CreatePortfolio(t.Context(), storetest.As(posture.Admin), posture.Portfolio{Slug: "other", Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	failed := w.failed(t, "SD-05")
	p := w.as(t, posture.Editor, made.ID)
	for _, path := range []string{
		"/runtimes/case-assistant", "/runtimes/case-assistant/posture", "/components/document-search", "/evidence/" + failed.ID, "/discrepancies/D-1",
	} {
		p.call(http.MethodGet, path, nil).status(http.StatusNotFound).problem()
	}
	for _, path := range []string{"/runtimes", "/components", "/evidence", "/discrepancies"} {
		var list struct{ Items []any }
		p.call(http.MethodGet, path, nil).status(http.StatusOK).into(&list)
		if len(list.Items) != 0 {
			t.Errorf("%s shows %d of another portfolio", path, len(list.Items))
		}
	}
	p.call(http.MethodPatch, "/runtimes/case-assistant", map[string]any{"version": 1}).status(http.StatusNotFound)
	p.call(http.MethodPost, "/runtimes", map[string]any{"slug": "theirs", "profile": "first_review", "portfolio": 1}).status(http.StatusForbidden)
	var theirs api.Runtime
	p.call(http.MethodPost, "/runtimes", map[string]any{"slug": "theirs", "profile": "first_review", "portfolio": made.ID}).status(http.StatusCreated).into(&theirs)
	if theirs.Portfolio != made.ID {
		t.Errorf("made in portfolio %d", theirs.Portfolio)
	}
}

func TestProblemsSayWhatAndWhatToDo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	for path, want := range map[string]int{
		"/nowhere": http.StatusNotFound, "/runtimes/none": http.StatusNotFound, "/evidence/E-x": http.StatusNotFound,
		"/discrepancies/214": http.StatusNotFound, "/runtimes?as_of=2026-13-40": http.StatusUnprocessableEntity,
		"/runtimes?as_of=2027-01-01": http.StatusUnprocessableEntity, "/runtimes?colour=blue": http.StatusUnprocessableEntity,
		"/runtimes?stage=dream": http.StatusUnprocessableEntity, "/evidence?after=E-1": http.StatusUnprocessableEntity,
		"/evidence?limit=0": http.StatusUnprocessableEntity, "/discrepancies?kind=both": http.StatusUnprocessableEntity,
		"/evidence?component=none": http.StatusNotFound,
	} {
		got := p.raw(http.MethodGet, path, nil)
		if got.Code != want {
			t.Errorf("%s: %d, want %d\n%s", path, got.Code, want, got.Body)
		}
		got.problem()
	}
	p.raw(http.MethodPost, "/discrepancies", "{}").status(http.StatusNotFound).problem()
	p.raw(http.MethodPost, "/runtimes", "{").status(http.StatusBadRequest).problem()
	large := `{"slug":"x","profile":"first_review","purpose":"` + strings.Repeat("a", 1<<20) + `"}`
	p.raw(http.MethodPost, "/runtimes", large).status(http.StatusRequestEntityTooLarge).problem()
	unknown := p.call(http.MethodPost, "/runtimes", map[string]any{"slug": "x", "profile": "first_review", "grade": "A"}).status(http.StatusUnprocessableEntity).problem()
	if len(unknown.Errors) != 1 || !strings.Contains(unknown.Errors[0].Location, "grade") {
		t.Errorf("an unknown key: %+v", unknown.Errors)
	}
	wrong := p.call(http.MethodPost, "/runtimes", map[string]any{"slug": "x", "profile": "none", "purpose": "sandboxed"}).status(http.StatusUnprocessableEntity).problem()
	if len(wrong.Errors) != 2 || wrong.Errors[0].Location != "body.purpose" || wrong.Errors[1].Location != "body.profile" {
		t.Errorf("field errors: %s", mustJSON(t, wrong.Errors))
	}
}

func TestFaultsTellNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.as(t, posture.Editor)
	w.DB.Exec(t, "alter table runtime rename to broken")
	got := p.call(http.MethodGet, "/runtimes", nil).status(http.StatusInternalServerError)
	problem := got.problem()
	id := got.Header.Get("X-Request-Id")
	if id == "" || !strings.Contains(problem.Detail, id) || problem.Instance != "urn:demarc:request:"+id {
		t.Errorf("problem %s of request %q", got.Body, id)
	}
	for _, inside := range []string{"runtime", "relation", "SQL", "pgx"} {
		if strings.Contains(problem.Detail, inside) {
			t.Errorf("a fault tells of %s: %s", inside, got.Body)
		}
	}
	lines := w.Log.Lines(id, `"status":500`, "does not exist", `"actor":"token:`)
	if len(lines) != 1 {
		t.Errorf("logged %d times:\n%s", len(lines), w.Log.String())
	}
	w.DB.Store.Close()
	p.call(http.MethodGet, "/runtimes", nil).status(http.StatusInternalServerError).problem()
}

func TestTheDescription(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.as(t, posture.Viewer).raw(http.MethodGet, "/openapi.json", nil).status(http.StatusOK)
	if media := got.Header.Get("Content-Type"); media != "application/openapi+json" {
		t.Errorf("described as %q", media)
	}
	if string(got.Body) != mustJSON(t, w.doc) {
		t.Error("what is served is not what the tests hold answers to")
	}
	var doc struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]map[string]struct {
			OperationID string
			Responses   map[string]any
		}
	}
	got.into(&doc)
	if !strings.HasPrefix(doc.OpenAPI, "3.1") || doc.Servers[0].URL != api.Prefix {
		t.Errorf("OpenAPI %s at %v", doc.OpenAPI, doc.Servers)
	}
	want := map[string][]string{
		"/runtimes": {"get", "post"}, "/runtimes/{slug}": {"get", "patch"}, "/runtimes/{slug}/posture": {"get"},
		"/runtimes/{slug}/components/{component}": {"put", "delete"}, "/components": {"get", "post"}, "/components/{slug}": {"get"},
		"/evidence": {"get", "post"}, "/evidence/{id}": {"get"}, "/discrepancies": {"get"}, "/discrepancies/{id}": {"get"},
	}
	if len(doc.Paths) != len(want) {
		t.Errorf("%d paths are described, want %d", len(doc.Paths), len(want))
	}
	for path, methods := range want {
		for _, m := range methods {
			op := doc.Paths[path][m]
			if op.OperationID == "" || op.Responses["401"] == nil || op.Responses["422"] == nil {
				t.Errorf("%s %s is described as %+v", m, path, op)
			}
		}
	}
}

func TestAnswersAreNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got := w.as(t, posture.Viewer).call(http.MethodGet, "/runtimes", nil)
	if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("headers %v", got.Header)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
