package web_test

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

// formScene is a runtime and the receiver it uses, with the people who work on
// them.
type formScene struct {
	*webtest.Site
	unit, receiver       int64
	tester, closer, risk *webtest.Client
}

func microVM() posture.Identity {
	return posture.Identity{
		posture.Vendor: "Vendor V", posture.Product: "Product P", posture.Variant: "microVM", posture.Version: "1.14.2",
		posture.Image: "sha256:d1", posture.Policy: "sha256:0001", posture.Config: "sha256:000c", posture.Region: "eu-central-1",
	}
}

func searchS4() posture.Identity {
	return posture.Identity{
		posture.Vendor: "own", posture.Product: "document-search", posture.Variant: "shared", posture.Version: "s4",
		posture.Policy: "sha256:0002", posture.Config: "sha256:00c4", posture.Region: "eu-central-1",
	}
}

func newFormScene(t *testing.T) *formScene {
	t.Helper()
	s := &formScene{Site: webtest.New(t)}
	ctx, editor := t.Context(), storetest.As(posture.Editor)
	runtime, err := s.DB.Store.CreateRuntime(ctx, editor, posture.Runtime{
		Slug: "case-assistant", Name: "case-assistant", Purpose: "answers case workers’ questions", Stage: posture.StageProduction,
		Owner: "J. Lindqvist", RiskOwner: "Ines Marchetti", DataClass: "confidential", MultiTenant: true, Profile: "shared_service",
		Intents: map[string]posture.Intent{"FS": {Purpose: posture.PurposeIntended, Text: "one customer’s files from the other’s, by its own disk"}},
		Target:  posture.Target{Identity: microVM(), Reason: "first deployment"},
	})
	if err != nil {
		t.Fatal(err)
	}
	component, err := s.DB.Store.CreateComponent(ctx, editor, posture.Component{
		Slug: "document-search", Name: "document-search", Kind: "retrieval", Owner: "R. Banerjee", RiskOwner: "Ines Marchetti",
		DataClass: "confidential", Shared: true, Target: posture.Target{Identity: searchS4(), Reason: "release s4"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Store.Link(ctx, editor, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	s.unit, s.receiver = runtime.Subject, component.Subject
	s.tester = s.person(t, "T. Arroyo", "arroyo@example.org", posture.Editor)
	s.closer = s.person(t, "P. Haas", "haas@example.org", posture.Editor)
	s.risk = s.person(t, "Ines Marchetti", "ines@example.org", posture.RiskOwner)
	s.DB.Clock.Add(time.Hour)
	return s
}

func (s *formScene) person(t *testing.T, name, email string, role posture.Role) *webtest.Client {
	t.Helper()
	return s.AsPerson(t, posture.Person{Name: name, Email: email, Role: role, AllPortfolios: true})
}

// on is the address of a form about a statement.
func on(path string, subject int64, statement string, more ...string) string {
	q := url.Values{"subject": {strconv.FormatInt(subject, 10)}, "statement": {statement}}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	return path + "?" + q.Encode()
}

// confirm sends the second step of a form.
func confirm(p *webtest.Page) *webtest.Page {
	p.Has("#confirm button[name=confirm][value='1']")
	return p.Submit("#confirm", url.Values{"confirm": {"1"}})
}

// testOf is a test of a case as the form takes it.
func (s *formScene) testOf(run, name, expected, outcome string) url.Values {
	return url.Values{
		"run": {run}, "case": {name}, "expected": {expected}, "outcome": {outcome}, "control_ok": {"yes"},
		"observed_at":        {s.DB.Clock.Now().UTC().Format("2006-01-02T15:04")},
		"observed_behaviour": {"what the tester saw in " + run}, "refusal_origin": {"document-search, rule 7"},
	}
}

// record records by the form and gives the record's id.
func (s *formScene) record(t *testing.T, c *webtest.Client, address string, typed url.Values) string {
	t.Helper()
	saved := confirm(c.Get(address).Status(http.StatusOK).Submit("#fill", typed).Status(http.StatusOK)).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)
	return saved.Header.Get("Location")[len("/evidence/"):]
}

// failure records a failing deny on the receiver.
func (s *formScene) failure(t *testing.T, name string) string {
	t.Helper()
	return s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test"), s.testOf("run 2", name, "deny", "fail"))
}

// few fails the test if a page takes more statements than pages may.
func (s *formScene) few(t *testing.T, c *webtest.Client, path string) {
	t.Helper()
	s.DB.Counter.Reset()
	c.Get(path).Status(http.StatusOK)
	if n := len(s.DB.Counter.Statements()); n > 12 {
		t.Errorf("%s takes %d statements, at most 12: %q", path, n, s.DB.Counter.Statements())
	}
}

func idOf(id int64) string { return strconv.FormatInt(id, 10) }
