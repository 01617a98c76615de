package web_test

import (
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

// scene is a small world for pages: a runtime in production, a receiver that
// its sessions use, and the people who work on them.
type scene struct {
	*webtest.Site
	runtime   posture.Runtime
	component posture.Component
	tester    posture.Access
	closer    posture.Access
	risk      posture.Access
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{
		Site: webtest.New(t), tester: acts(posture.Editor, "T. Arroyo"), closer: acts(posture.Editor, "P. Haas"),
		risk: acts(posture.RiskOwner, "Ines Marchetti"),
	}
	runtime := posture.Runtime{
		Slug: "case-assistant", Name: "Case assistant", Owner: "Agent Apps", RiskOwner: "Ines Marchetti", Profile: "first_review",
		Stage: posture.StageProduction, DataClass: "confidential", MultiTenant: true,
	}
	runtime.Target.Identity = posture.Identity{
		posture.Vendor: "V", posture.Product: "P", posture.Variant: "microvm", posture.Version: "1.14.2", posture.Image: "sha256:9f2c41ab",
		posture.Policy: "sha256:41d86e02", posture.Config: "sha256:c3aa90f7", posture.Region: "eu",
	}
	component := posture.Component{
		Slug: "document-search", Name: "Document search", Kind: "retrieval", Owner: "R. Banerjee", RiskOwner: "Ines Marchetti",
		DataClass: "confidential", Shared: true,
	}
	component.Target.Identity = posture.Identity{
		posture.Vendor: "Us", posture.Product: "Search", posture.Variant: "default", posture.Version: "s4", posture.Policy: "sha256:5be1c07d",
		posture.Config: "sc1", posture.Region: "eu",
	}
	var err error
	if s.runtime, err = s.DB.Store.CreateRuntime(t.Context(), s.tester, runtime); err != nil {
		t.Fatal(err)
	}
	if s.component, err = s.DB.Store.CreateComponent(t.Context(), s.tester, component); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.Store.Link(t.Context(), s.tester, runtime.Slug, component.Slug); err != nil {
		t.Fatal(err)
	}
	s.DB.Clock.Add(time.Hour)
	return s
}

// acts gives a person of a role who reaches all portfolios.
func acts(role posture.Role, name string) posture.Access {
	a := storetest.As(role)
	a.Actor, a.Name = "test:"+name, name
	return a
}

// failed records that the receiver gave what it should have refused, seen now.
func (s *scene) failed(t *testing.T, name, seen string, id posture.Identity) posture.Record {
	t.Helper()
	return s.record(t, posture.Record{
		Subject: posture.SubjectRef{ID: s.component.Subject}, ObservedBehaviour: seen, Tester: s.tester.Name, Path: "bulk export", Direction: "Acme → Birch",
		Evidence: posture.Evidence{
			Kind: posture.KindTest, Statement: "AD-1", Identity: id, ObservedAt: s.DB.Clock.Now(), Run: "run 3", Case: name,
			Expected: posture.Deny, Outcome: posture.Fail, ControlOK: true,
		},
	})
}

func (s *scene) record(t *testing.T, r posture.Record) posture.Record {
	t.Helper()
	saved, _, err := s.DB.Store.RecordEvidence(t.Context(), s.tester, r, nil)
	if err != nil {
		t.Fatalf("record %s: %v", r.Statement, err)
	}
	s.DB.Clock.Add(time.Minute)
	return saved
}
