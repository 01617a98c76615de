package store_test

import (
	"slices"
	"strings"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func invalid(closes string) posture.ClosureRecord {
	return posture.ClosureRecord{Closure: posture.Closure{Closes: closes, Kind: posture.TestInvalid}, Text: "the fixture was missing"}
}

// says checks that an error is Invalid and holds the words.
func says(t *testing.T, name string, err error, words string) {
	t.Helper()
	if posture.KindOf(err) != posture.Invalid || !strings.Contains(err.Error(), words) {
		t.Errorf("%s: %v, want Invalid with %q", name, err, words)
	}
}

func TestFourEyes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failed := s.test(s.unit, "FS-1", "r1", "XS-01", posture.Deny, posture.Fail, identityR1)
	failed.Tester = "  t. ARROYO "
	negative := s.record(t, failed)
	s.later()
	passed := s.test(s.unit, "FS-1", "r2", "XS-01", posture.Deny, posture.Pass, identityR1)
	passed.Tester = "S. Whitlock"
	proof := s.record(t, passed)

	byName := named(posture.Editor, "S. Whitlock")
	recorder := s.tester
	for name, c := range map[string]struct {
		a    posture.Access
		with posture.ClosureRecord
	}{
		"the tester of the verifying test":   {byName, fix(negative.ID, proof.ID)},
		"the recorder of the verifying test": {recorder, fix(negative.ID, proof.ID)},
		"the recorder of the invalid test":   {recorder, invalid(negative.ID)},
	} {
		_, _, err := s.Store.CloseEvidence(t.Context(), c.a, c.with)
		says(t, name, err, "Somebody else closes on it")
	}
	other := recorder
	other.Actor = "test:somebody"
	_, _, err := s.Store.CloseEvidence(t.Context(), other, invalid(negative.ID))
	says(t, "the tester of the invalid test, by name", err, "Somebody else closes on it")

	saved, moves, err := s.Store.CloseEvidence(t.Context(), s.closer, fix(negative.ID, proof.ID))
	if err != nil || len(moves) != 1 || saved.ID != "K-0001" || saved.ByName != s.closer.Name || saved.Identity != identityR1 {
		t.Fatalf("a second person: %+v %+v %v", saved, moves, err)
	}
	_, _, err = s.Store.CloseEvidence(t.Context(), s.closer, fix(negative.ID, proof.ID))
	if posture.KindOf(err) != posture.Conflicting {
		t.Errorf("the same closure again: %v", err)
	}
}

// A token stands for whoever made it: recording by token and closing by hand is
// one pair of eyes.
func TestFourEyesSeeThroughTokens(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	person := s.query(t, `with p as (insert into person (recorded_at) values (now()) returning id)
		insert into person_version (person_id, version, recorded_from, recorded_by, email, name, role, portfolios, all_portfolios, active)
		select id, 1, now(), 'test', 'ta@example.org', 'T. Arroyo', 'editor', '{}', true, true from p returning person_id`)
	token := s.query(t, `insert into token (name, token_hash, role, portfolios, all_portfolios, recorded_at, recorded_by, expires_at)
		values ('ci', '\x01', 'editor', '{}', true, now(), 'person:' || $1::bigint::text, 'infinity') returning id`, person)
	ci, self := s.tester, s.tester
	ci.Actor, ci.Name = "token:"+itoa(token), "ci"
	self.Actor, self.Person, self.Name = "person:"+itoa(person), person, "Tess Arroyo, renamed"
	record := func(run string, outcome posture.Outcome, tester string) posture.Record {
		r := s.test(s.unit, "FS-1", run, "XS-01", posture.Deny, outcome, identityR1)
		r.Tester = tester
		saved, _, err := s.Store.RecordEvidence(t.Context(), ci, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.later()
		return saved
	}
	negative, proof := record("r1", posture.Fail, "nightly"), record("r2", posture.Pass, "nightly")
	if proof.RecordedBy != "token ci" {
		t.Errorf("recorded by %q", proof.RecordedBy)
	}
	_, _, err := s.Store.CloseEvidence(t.Context(), self, fix(negative.ID, proof.ID))
	says(t, "the token's maker", err, "Somebody else closes on it")
	byAddress := record("r3", posture.Pass, "TA@example.org")
	ci.Actor = "test:other"
	_, _, err = s.Store.CloseEvidence(t.Context(), self, fix(negative.ID, byAddress.ID))
	says(t, "the tester, by address", err, "Somebody else closes on it")
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, fix(negative.ID, proof.ID)); err != nil {
		t.Errorf("a second person: %v", err)
	}
}

func TestClosuresThatCannotTakeEffectAreRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.target(t, s.unit, with(identityR1, posture.Config, ""))
	early := s.record(t, s.test(s.unit, "FS-1", "r0", "XS-01", posture.Deny, posture.Pass, identityR1))
	s.later()
	negative := s.record(t, s.test(s.unit, "FS-1", "r1", "XS-01", posture.Deny, posture.Fail, identityR1))
	document := s.about(s.unit, "FS-1", posture.KindDocumentation, posture.Contradicts, identityR1)
	page := s.record(t, document)
	s.later()
	later := s.record(t, s.test(s.unit, "FS-1", "r2", "XS-01", posture.Deny, posture.Pass, identityR1))
	other := s.record(t, s.test(s.unit, "FS-1", "r2", "XS-02", posture.Deny, posture.Pass, identityR1))
	wrongPlace := s.record(t, s.test(s.receiver, "AD-1", "r2", "XS-01", posture.Deny, posture.Pass, identityS))
	notApplicable := posture.ClosureRecord{
		Closure: posture.Closure{Closes: negative.ID, Kind: posture.ClosureNotApplicable}, Justification: "component_absent", Text: "no such mount",
	}
	aside := fix(negative.ID, later.ID)
	aside.Identity = with(identityR1, posture.Version, "9")
	for name, c := range map[string]struct {
		with posture.ClosureRecord
		want string
	}{
		"earlier":                  {fix(negative.ID, early.ID), "it was not observed after " + negative.ID},
		"another case":             {fix(negative.ID, other.ID), "it is of case XS-02, not XS-01"},
		"at another subject":       {fix(negative.ID, wrongPlace.ID), "There is no record " + wrongPlace.ID},
		"on an unknown target":     {fix(negative.ID, later.ID), "config is not known"},
		"on no target of the unit": {aside, "is no identity that case-assistant had"},
		"not applicable, unknown":  {notApplicable, "config is not known"},
		"a document, earlier":      {fix(page.ID, early.ID), "it was not observed after " + page.ID},
		"no failure":               {fix(later.ID, other.ID), "there is nothing to close"},
	} {
		_, _, err := s.Store.CloseEvidence(t.Context(), s.closer, c.with)
		says(t, name, err, c.want)
	}
	// What the closure is about may be an earlier target that the failure
	// outlived: the test was taken there.
	_, _, err := s.Store.CloseEvidence(t.Context(), s.closer, posture.ClosureRecord{
		Closure: posture.Closure{Closes: "E-9999", Kind: posture.TestInvalid}, Text: "gone",
	})
	if posture.KindOf(err) != posture.NotFound {
		t.Errorf("a record that is not there: %v", err)
	}
	if n := s.query(t, `select count(*) from closure`); n != 0 {
		t.Errorf("%d closures kept", n)
	}
}

func TestClosureOnAnEarlierTarget(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	before := s.record(t, s.test(s.unit, "FS-1", "r1", "XS-01", posture.Deny, posture.Fail, identityR1))
	s.later()
	second := with(identityR1, posture.Version, "2")
	s.target(t, s.unit, second)
	after := s.record(t, s.test(s.unit, "FS-1", "r2", "XS-01", posture.Deny, posture.Pass, second))
	s.later()
	s.target(t, s.unit, with(identityR1, posture.Version, "3"))
	c := fix(before.ID, after.ID)
	_, _, err := s.Store.CloseEvidence(t.Context(), s.closer, c)
	says(t, "bound to the target in force", err, "its version is not what the closure is about")
	c.Identity = second
	if _, _, err := s.Store.CloseEvidence(t.Context(), s.closer, c); err != nil {
		t.Errorf("bound to the target that the test was taken on: %v", err)
	}
	// A target that was gone before the failure says nothing of its fix.
	s.later()
	failed := s.record(t, s.test(s.unit, "FS-1", "r3", "XS-02", posture.Deny, posture.Fail, with(identityR1, posture.Version, "3")))
	s.later()
	old := s.record(t, s.test(s.unit, "FS-1", "r4", "XS-02", posture.Deny, posture.Pass, second))
	c = fix(failed.ID, old.ID)
	c.Identity = second
	_, _, err = s.Store.CloseEvidence(t.Context(), s.closer, c)
	says(t, "a target gone before the failure", err, "is no identity that case-assistant had after")
}

func TestClosureCandidates(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	negative := s.record(t, s.test(s.unit, "FS-1", "r1", "XS-01", posture.Deny, posture.Fail, identityR1))
	s.later()
	one := s.record(t, s.test(s.unit, "FS-1", "r2", "XS-01", posture.Deny, posture.Pass, identityR1))
	other := s.record(t, s.test(s.unit, "FS-1", "r2", "XS-02", posture.Deny, posture.Pass, identityR1))
	s.record(t, s.test(s.unit, "FS-1", "r2", "XS-01", posture.Permit, posture.Pass, identityR1))
	two := s.record(t, s.test(s.unit, "FS-1", "r3", "XS-01", posture.Deny, posture.Pass, identityR1))
	list, others, err := s.Store.ClosureCandidates(t.Context(), s.closer, negative.Row)
	if err != nil || len(list) != 2 || list[0].ID != two.ID || list[1].ID != one.ID {
		t.Fatalf("candidates %+v: %v", list, err)
	}
	if !slices.Equal(others, []string{other.ID + ": it is of case XS-02, not XS-01"}) {
		t.Errorf("others %v", others)
	}
	_, others, err = s.Store.ClosureCandidates(t.Context(), s.tester, negative.Row)
	if err != nil || len(others) != 3 || !strings.Contains(others[1], "somebody else closes on it") {
		t.Errorf("for the tester: %v %v", others, err)
	}
}

func TestPreviewClosureSaysWhatStays(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	one := s.record(t, s.test(s.unit, "FS-1", "r1", "XS-01", posture.Deny, posture.Fail, identityR1))
	two := s.record(t, s.test(s.unit, "FS-1", "r1", "XS-02", posture.Deny, posture.Fail, identityR1))
	p, err := s.Store.PreviewClosure(t.Context(), s.closer, invalid(one.ID))
	want := "Nothing moves: FS-1 stays contradicted: " + two.ID + " is open against it."
	if err != nil || len(p.Moves) != 0 || !slices.Equal(p.Notes, []string{want}) {
		t.Errorf("%+v %v", p, err)
	}
	if n := s.query(t, `select count(*) from closure`); n != 0 {
		t.Errorf("the preview kept %d closures", n)
	}
}

func TestNotApplicableClosureLapses(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	negative := s.record(t, s.about(s.unit, "FS-1", posture.KindConfiguration, posture.Contradicts, identityR1))
	c := posture.ClosureRecord{
		Closure:       posture.Closure{Closes: negative.ID, Kind: posture.ClosureNotApplicable, Identity: with(identityR1, posture.Config, "made up")},
		Justification: "path_unreachable", Text: "the mount is not in this image",
	}
	saved, _, err := s.Store.CloseEvidence(t.Context(), s.closer, c)
	if err != nil || saved.Identity != identityR1 {
		t.Fatalf("bound to %v: %v", saved.Identity, err)
	}
	if got := s.label(t, s.unit, "FS-1"); got != "not_stated" {
		t.Errorf("closed: %s", got)
	}
	s.later()
	s.target(t, s.unit, with(identityR1, posture.Policy, "sha256:00ff"))
	if got := s.label(t, s.unit, "FS-1"); got != "suspect" {
		t.Errorf("after the policy moved: %s", got)
	}
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	page := s.record(t, s.about(s.unit, "FS-1", posture.KindDocumentation, posture.Supports, identityR1))
	p, err := s.Store.PreviewWithdraw(t.Context(), s.tester, page.Row)
	if err != nil || len(p.Moves) != 1 || p.Moves[0].From != "documented" || p.Moves[0].To != "not_stated" {
		t.Errorf("preview %+v %v", p, err)
	}
	if _, err := s.Store.Withdraw(t.Context(), s.tester, page.Row, " "); !slices.Equal(faults(err), []string{"reason"}) {
		t.Errorf("without a reason: %v", err)
	}
	if _, err := s.Store.Withdraw(t.Context(), s.tester, page.Row, "it was about another product"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Store.Withdraw(t.Context(), s.tester, page.Row, "once more"); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("twice: %v", err)
	}
	read, err := s.Store.EvidenceByID(t.Context(), s.tester, posture.AsOf{}, page.Row)
	if err != nil || read.WithdrawnBecause != "it was about another product" || read.WithdrawnAt.IsZero() {
		t.Errorf("read %+v %v", read, err)
	}
	failed := s.record(t, s.test(s.unit, "FS-1", "r", "c", posture.Deny, posture.Fail, identityR1))
	_, err = s.Store.Withdraw(t.Context(), s.closer, failed.Row, "wrong")
	says(t, "a failing test", err, "It is closed, not withdrawn")
	config := s.record(t, s.about(s.unit, "FS-1", posture.KindConfiguration, posture.Contradicts, identityR1))
	_, err = s.Store.Withdraw(t.Context(), s.tester, config.Row, "wrong file")
	says(t, "a contradiction by its recorder", err, "somebody else withdraws it")
	if _, err := s.Store.Withdraw(t.Context(), s.closer, config.Row, "wrong file"); err != nil {
		t.Errorf("by somebody else: %v", err)
	}
	if _, err := s.Store.Withdraw(t.Context(), storetest.As(posture.Procurement), page.Row, "x"); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("by procurement: %v", err)
	}
}
