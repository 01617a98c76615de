package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/api"
	"demarc/web/webtest"
)

// world is a server with a runtime and a receiver that its sessions use.
type world struct {
	*webtest.Site
	doc     *huma.OpenAPI
	runtime posture.Runtime
	search  posture.Component
	tester  posture.Access
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Site: webtest.New(t), tester: storetest.As(posture.Editor)}
	w.tester.Name = "T. Arroyo"
	w.doc = api.Mount(echo.New(), api.Config{}).Document()
	runtime := posture.Runtime{
		Slug: "case-assistant", Name: "Case assistant", Owner: "Agent Apps", RiskOwner: "Ines Marchetti", Profile: "first_review",
		Stage: posture.StageProduction, DataClass: "confidential", MultiTenant: true,
	}
	runtime.Target.Identity = posture.Identity{posture.Vendor: "V", posture.Product: "P", posture.Variant: "microvm", posture.Version: "1.14.2"}
	search := posture.Component{Slug: "document-search", Name: "Document search", Kind: "retrieval", Owner: "R. Banerjee", DataClass: "confidential"}
	search.Target.Identity = posture.Identity{
		posture.Vendor: "Us", posture.Product: "Search", posture.Variant: "default", posture.Version: "s4", posture.Policy: "sha256:5be1c07d",
		posture.Config: "sc1", posture.Region: "eu",
	}
	var err error
	if w.runtime, err = w.DB.Store.CreateRuntime(t.Context(), w.tester, runtime); err != nil {
		t.Fatal(err)
	}
	if w.search, err = w.DB.Store.CreateComponent(t.Context(), w.tester, search); err != nil {
		t.Fatal(err)
	}
	if err := w.DB.Store.Link(t.Context(), w.tester, runtime.Slug, search.Slug); err != nil {
		t.Fatal(err)
	}
	w.DB.Clock.Add(time.Hour)
	return w
}

// failed records that the receiver gave what it should have refused, seen now.
func (w *world) failed(t *testing.T, name string) posture.Record {
	t.Helper()
	saved, _, err := w.DB.Store.RecordEvidence(t.Context(), w.tester, posture.Record{
		Subject: posture.SubjectRef{ID: w.search.Subject}, ObservedBehaviour: "archive of 212 records", Tester: "T. Arroyo",
		Evidence: posture.Evidence{
			Kind: posture.KindTest, Statement: "AD-1", Identity: w.search.Target.Identity, ObservedAt: w.DB.Clock.Now(), Run: "run 3",
			Case: name, Expected: posture.Deny, Outcome: posture.Fail, ControlOK: true,
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.DB.Clock.Add(time.Minute)
	return saved
}

// program is a holder of a token.
type program struct {
	t      testing.TB
	world  *world
	Token  string
	Header http.Header
}

// as gives a program whose token has the role, made by somebody who reaches
// the portfolios.
func (w *world) as(t *testing.T, role posture.Role, portfolios ...int64) *program {
	t.Helper()
	maker := storetest.As(posture.Admin)
	if portfolios != nil {
		maker.Portfolios, maker.AllPortfolios = portfolios, false
	}
	_, secret, err := w.DB.Store.CreateToken(t.Context(), maker, "a test", role, 30)
	if err != nil {
		t.Fatal(err)
	}
	return &program{t: t, world: w, Token: secret, Header: http.Header{}}
}

// answer is what came back.
type answer struct {
	t      testing.TB
	Code   int
	Header http.Header
	Body   []byte
}

// call sends a request and holds the answer to the description: a status that
// the operation lists, and a body of the shape it gives for it.
func (p *program) call(method, path string, body any) *answer {
	p.t.Helper()
	got := p.raw(method, path, body)
	op, known := p.world.operation(method, path)
	if !known {
		p.t.Fatalf("%s %s is not described", method, path)
	}
	described, listed := op.Responses[strconv.Itoa(got.Code)]
	if !listed {
		p.t.Fatalf("%s %s answers %d, which is not described\n%s", method, path, got.Code, got.Body)
	}
	if len(got.Body) == 0 {
		if len(described.Content) > 0 {
			p.t.Errorf("%s %s answers %d with nothing", method, path, got.Code)
		}
		return got
	}
	media, _, _ := strings.Cut(got.Header.Get("Content-Type"), ";")
	content, listed := described.Content[media]
	if !listed {
		p.t.Fatalf("%s %s answers %d as %q, which is not described", method, path, got.Code, media)
	}
	p.world.holds(p.t, content.Schema, got.Body, method+" "+path)
	return got
}

// holds fails the test where a body is not of a shape.
func (w *world) holds(t testing.TB, schema *huma.Schema, body []byte, what string) {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatalf("%s: %v\n%s", what, err, body)
	}
	var faults huma.ValidateResult
	huma.Validate(w.doc.Components.Schemas, schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, value, &faults)
	for _, err := range faults.Errors {
		t.Errorf("%s: the answer is not as described: %v\n%s", what, err, body)
	}
}

// operation finds what the description says of a request.
func (w *world) operation(method, path string) (*huma.Operation, bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for template, item := range w.doc.Paths {
		names := strings.Split(template, "/")
		same := len(names) == len(parts)
		for i := range names {
			same = same && (strings.HasPrefix(names[i], "{") || names[i] == parts[i])
		}
		if op := map[string]*huma.Operation{
			http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPut: item.Put, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
		}[method]; same && op != nil {
			return op, true
		}
	}
	return nil, false
}

// raw sends a request.
func (p *program) raw(method, path string, body any) *answer {
	p.t.Helper()
	var sent []byte
	switch b := body.(type) {
	case nil:
	case string:
		sent = []byte(b)
	default:
		var err error
		if sent, err = json.Marshal(b); err != nil {
			p.t.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(context.WithoutCancel(p.t.Context()), method, "http://demarc.test"+api.Prefix+path, bytes.NewReader(sent))
	if sent != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	maps.Copy(r.Header, p.Header)
	w := httptest.NewRecorder()
	p.world.Handler.ServeHTTP(w, r)
	return &answer{t: p.t, Code: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
}

// status fails the test unless the answer has the status.
func (a *answer) status(want int) *answer {
	a.t.Helper()
	if a.Code != want {
		a.t.Fatalf("status %d, want %d\n%s", a.Code, want, a.Body)
	}
	return a
}

// into reads the body.
func (a *answer) into(to any) {
	a.t.Helper()
	if err := json.Unmarshal(a.Body, to); err != nil {
		a.t.Fatalf("%v\n%s", err, a.Body)
	}
}

// problem gives the problem of an answer.
func (a *answer) problem() huma.ErrorModel {
	a.t.Helper()
	var p huma.ErrorModel
	a.into(&p)
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" || p.Status != a.Code || p.Title == "" || p.Detail == "" {
		a.t.Errorf("%s is no problem: %s", got, a.Body)
	}
	return p
}
