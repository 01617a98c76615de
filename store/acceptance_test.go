package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
)

func TestAcceptRefuses(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	one := s.record(t, s.test(s.receiver, "AD-1", "r", "a", posture.Deny, posture.Fail, identityS))
	two := s.record(t, s.test(s.receiver, "AD-1", "r", "b", posture.Deny, posture.Fail, identityS))
	accept := func(edit func(*posture.AcceptanceRecord)) error {
		c := s.acceptance(one.ID, two.ID)
		edit(&c)
		_, _, err := s.Store.Accept(t.Context(), s.risk, c)
		return err
	}
	says(t, "one left out", accept(func(c *posture.AcceptanceRecord) { c.Covers = c.Covers[:1] }),
		two.ID+" is open and not named. An acceptance that leaves one out carries nothing.")
	says(t, "too long", accept(func(c *posture.AcceptanceRecord) { c.ExpiresAt = c.ExpiresAt.AddDate(0, 0, 60) }),
		"90 days is more than a very high severity allows. The last possible day is 30 Dec 2026.")
	says(t, "rated lower than its discrepancies", accept(func(c *posture.AcceptanceRecord) {
		c.Severity, c.ExpiresAt = posture.Low, c.ExpiresAt.AddDate(0, 0, 60)
	}), "90 days is more than a very high severity allows.")
	says(t, "another statement", accept(func(c *posture.AcceptanceRecord) { c.Statement = "AD-9" }), "is required of document-search")
	err := accept(func(c *posture.AcceptanceRecord) { c.Condition, c.ReviewAt, c.Covers = "", time.Time{}, nil })
	if got := faults(err); !slices.Equal(got, []string{"condition", "review_at", "covers"}) {
		t.Errorf("all at once: %v", got)
	}
	owner := named(posture.RiskOwner, "r. banerjee")
	_, _, err = s.Store.Accept(t.Context(), owner, s.acceptance(one.ID, two.ID))
	says(t, "the owner of the receiver", err, "another risk owner accepts its risk")
	s.target(t, s.receiver, with(identityS, posture.Policy, ""))
	says(t, "an unknown target", accept(func(*posture.AcceptanceRecord) {}), "its policy is not known")
	if n := s.query(t, `select count(*) from acceptance`); n != 0 {
		t.Errorf("%d acceptances kept", n)
	}
}

func TestAcceptanceOfAShortfallLapsesByItself(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.record(t, s.about(s.receiver, "AD-1", posture.KindDocumentation, posture.Supports, with(identityS, posture.Region, "any")))
	c := s.acceptance()
	c.Shortfall, c.Severity = true, posture.Moderate
	p, err := s.Store.PreviewAcceptance(t.Context(), s.risk, c)
	if err != nil || len(p.Moves) != 1 || p.Moves[0].To != "accepted_risk" {
		t.Fatalf("preview %+v %v", p, err)
	}
	saved, _, err := s.Store.Accept(t.Context(), s.risk, c)
	if err != nil || saved.Identity != identityS || saved.Severity != posture.Moderate {
		t.Fatalf("accepted %+v %v", saved, err)
	}
	s.Clock.Set(c.ExpiresAt.Add(time.Second))
	if _, err := s.Store.Settle(t.Context(), s.risk, 100); err != nil {
		t.Fatal(err)
	}
	if got := s.label(t, s.receiver, "AD-1"); got != "documented" {
		t.Errorf("after its day: %s", got)
	}
	n := s.query(t, `select count(*) from verdict where subject_id = $1 and recorded_from = $2`, s.receiver, c.ExpiresAt)
	if n != 1 {
		t.Error("the lapse is not dated by its own instant")
	}
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failed := s.record(t, s.test(s.receiver, "AD-1", "r", "a", posture.Deny, posture.Fail, identityS))
	accepted, _, err := s.Store.Accept(t.Context(), s.risk, s.acceptance(failed.ID))
	if err != nil {
		t.Fatal(err)
	}
	s.later()
	if _, err := s.Store.Revoke(t.Context(), s.closer, accepted.ID, "changed our mind"); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("an editor revokes an acceptance: %v", err)
	}
	if _, err := s.Store.Revoke(t.Context(), s.risk, accepted.ID, ""); !slices.Equal(faults(err), []string{"reason"}) {
		t.Errorf("without a reason: %v", err)
	}
	moves, err := s.Store.Revoke(t.Context(), s.risk, accepted.ID, "a restricted document was indexed")
	if err != nil || len(moves) != 1 || moves[0].To != "contradicted" || !strings.Contains(moves[0].Because, accepted.ID+" revoked") {
		t.Errorf("moved %+v %v", moves, err)
	}
	if _, err := s.Store.Revoke(t.Context(), s.risk, accepted.ID, "again"); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("twice: %v", err)
	}
	closed, _, err := s.Store.CloseEvidence(t.Context(), s.closer, invalid(failed.ID))
	if err != nil {
		t.Fatal(err)
	}
	moves, err = s.Store.Revoke(t.Context(), s.closer, closed.ID, "the fixture was there after all")
	if err != nil || len(moves) != 1 || moves[0].To != "contradicted" {
		t.Errorf("moved %+v %v", moves, err)
	}
	if got := s.label(t, s.receiver, "AD-1"); got != "contradicted" {
		t.Errorf("label %s", got)
	}
	for _, id := range []string{"", "E-0001", "A-9999", "K-", "nonsense"} {
		if _, err := s.Store.Revoke(t.Context(), s.risk, id, "x"); posture.KindOf(err) != posture.NotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestRuleOut(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	n := posture.RulingRecord{Ruling: posture.Ruling{Statement: "FS-1"}, Subject: posture.SubjectRef{ID: s.unit}, Reason: "sandboxed"}
	_, _, err := s.Store.RuleOut(t.Context(), s.risk, n)
	says(t, "no reason", err, "Kept from whom, by what?")
	n.Reason = "sessions have no local disk"
	p, err := s.Store.PreviewRuling(t.Context(), s.risk, n)
	if err != nil || len(p.Moves) != 1 || p.Moves[0].To != "not_applicable" {
		t.Errorf("preview %+v %v", p, err)
	}
	saved, moves, err := s.Store.RuleOut(t.Context(), s.risk, n)
	if err != nil || len(moves) != 1 || !strings.HasPrefix(saved.ID, "N-") || saved.Identity != identityR1 {
		t.Fatalf("%+v %+v %v", saved, moves, err)
	}
	s.later()
	failed := s.record(t, s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Fail, identityR1))
	if got := s.label(t, s.unit, "FS-1"); got != "contradicted" {
		t.Errorf("a failure outranks it: %s", got)
	}
	p, err = s.Store.PreviewRuling(t.Context(), s.risk, n)
	if err != nil || len(p.Moves) != 0 || !strings.Contains(p.Notes[0], failed.ID+" is open against it") {
		t.Errorf("beside a failure %+v %v", p, err)
	}
	if _, err := s.Store.Revoke(t.Context(), s.risk, saved.ID, "a disk was added"); err != nil {
		t.Fatal(err)
	}
	n.Statement = "PE-9"
	_, _, err = s.Store.RuleOut(t.Context(), s.risk, n)
	says(t, "a statement nobody requires", err, "is required of case-assistant")
	n.Statement, n.ExpiresAt = "FS-1", s.Clock.Now()
	_, _, err = s.Store.RuleOut(t.Context(), s.risk, n)
	says(t, "a day that is past", err, "must lie ahead")
	s.target(t, s.unit, with(identityR1, posture.Version, ""))
	n.ExpiresAt = time.Time{}
	_, _, err = s.Store.RuleOut(t.Context(), s.risk, n)
	says(t, "an unknown target", err, "its version is not known")
}
