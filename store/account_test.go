package store_test

import (
	"strings"
	"testing"
	"time"

	"demarc/store"
	"demarc/store/posture"
	"demarc/store/storetest"
)

func setUp(t *testing.T, db *storetest.DB) posture.Person {
	t.Helper()
	token, err := db.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	p, err := db.Store.SetUp(t.Context(), token, store.NewAccount{Email: "ines@example.org", Name: "Ines Marchetti", Password: "a long enough sentence"}, "r1")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSetUpLinkWorksOnce(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	first, err := db.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	second, err := db.Store.NewSetup(t.Context(), "os:test")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Store.SetupOpen(t.Context(), first); posture.KindOf(err) != posture.NotFound {
		t.Errorf("an earlier link stays open: %v", err)
	}
	account := store.NewAccount{Email: "ines@example.org", Name: "Ines", Password: "too short"}
	if _, err := db.Store.SetUp(t.Context(), second, account, "r"); posture.KindOf(err) != posture.Invalid {
		t.Errorf("a short password is taken: %v", err)
	}
	account.Password = "a long enough sentence"
	p, err := db.Store.SetUp(t.Context(), second, account, "r")
	if err != nil {
		t.Fatal(err)
	}
	if p.Role != posture.Admin || !p.AllPortfolios {
		t.Errorf("the first account is %v, all portfolios %v", p.Role, p.AllPortfolios)
	}
	if _, err := db.Store.SetUp(t.Context(), second, account, "r"); posture.KindOf(err) != posture.NotFound {
		t.Errorf("the link works twice: %v", err)
	}
}

func TestSignInNamesNeitherAndThrottles(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	setUp(t, db)
	if _, err := db.Store.SignIn(t.Context(), "INES@example.org", "a long enough sentence", "r"); err != nil {
		t.Fatalf("right password refused: %v", err)
	}
	_, wrong := db.Store.SignIn(t.Context(), "ines@example.org", "wrong", "r")
	_, unknown := db.Store.SignIn(t.Context(), "nobody@example.org", "wrong", "r")
	if wrong == nil || unknown == nil || wrong.Error() != unknown.Error() {
		t.Errorf("the sentences differ: %v / %v", wrong, unknown)
	}
	for range 10 {
		db.Clock.Add(time.Second)
		_, _ = db.Store.SignIn(t.Context(), "ines@example.org", "wrong", "r")
	}
	if _, err := db.Store.SignIn(t.Context(), "ines@example.org", "a long enough sentence", "r"); err == nil || !strings.Contains(err.Error(), "Too many") {
		t.Errorf("after eleven wrong tries: %v", err)
	}
	db.Clock.Add(16 * time.Minute)
	if _, err := db.Store.SignIn(t.Context(), "ines@example.org", "a long enough sentence", "r"); err != nil {
		t.Errorf("a quarter of an hour later: %v", err)
	}
}

func TestLastAdministratorStays(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	p := setUp(t, db)
	p.Role = posture.Viewer
	if _, err := db.Store.ChangePerson(t.Context(), storetest.As(posture.Admin), p); posture.KindOf(err) != posture.Invalid {
		t.Errorf("the last administrator can be taken away: %v", err)
	}
	p.Role, p.Name = posture.Admin, "Ines M."
	if _, err := db.Store.ChangePerson(t.Context(), storetest.As(posture.Admin), p); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.ChangePerson(t.Context(), storetest.As(posture.Admin), p); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("a stale version is saved: %v", err)
	}
	if _, err := db.Store.ChangePerson(t.Context(), storetest.As(posture.Viewer), p); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("a viewer may change people: %v", err)
	}
}

func TestDeskOfAnInactivePersonAsksToSignIn(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	setUp(t, db)
	admin := storetest.As(posture.Admin)
	p, token, err := db.Store.Invite(t.Context(), admin, posture.Person{Email: "t@example.org", Name: "T. Arroyo", Role: posture.Editor, AllPortfolios: true})
	if err != nil {
		t.Fatal(err)
	}
	if kind, email, err := db.Store.SetupOpen(t.Context(), token); err != nil || kind != "invite" || email != "t@example.org" {
		t.Errorf("invitation: %q %q %v", kind, email, err)
	}
	if _, _, _, err := db.Store.Desk(t.Context(), p.ID, "r"); err != nil {
		t.Fatal(err)
	}
	p.Active = false
	if _, err := db.Store.ChangePerson(t.Context(), admin, p); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := db.Store.Desk(t.Context(), p.ID, "r"); posture.KindOf(err) != posture.SignInNeeded {
		t.Errorf("desk of an inactive person: %v", err)
	}
}
