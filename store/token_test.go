package store_test

import (
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestTokenLivesUntilItIsRevokedOrExpires(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	admin := storetest.As(posture.Admin)
	if _, _, err := db.Store.CreateToken(t.Context(), admin, "CI", posture.Admin, 30); posture.KindOf(err) != posture.Invalid {
		t.Errorf("a token may be an administrator: %v", err)
	}
	k, secret, err := db.Store.CreateToken(t.Context(), admin, "CI", posture.Editor, 30)
	if err != nil {
		t.Fatal(err)
	}
	a, err := db.Store.TokenAccess(t.Context(), secret, "r9")
	if err != nil || a.Role != posture.Editor || !a.AllPortfolios || a.Request != "r9" {
		t.Fatalf("access %+v, %v", a, err)
	}
	for _, wrong := range []string{"", "demarc_", secret + "x", secret[1:]} {
		if _, err := db.Store.TokenAccess(t.Context(), wrong, "r"); posture.KindOf(err) != posture.SignInNeeded {
			t.Errorf("%q opens: %v", wrong, err)
		}
	}
	_, expiring, err := db.Store.CreateToken(t.Context(), admin, "one day", posture.Viewer, 1)
	if err != nil {
		t.Fatal(err)
	}
	db.Clock.Add(24 * time.Hour)
	if _, err := db.Store.TokenAccess(t.Context(), expiring, "r"); posture.KindOf(err) != posture.SignInNeeded {
		t.Errorf("an expired token opens: %v", err)
	}
	if err := db.Store.RevokeToken(t.Context(), admin, k.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Store.TokenAccess(t.Context(), secret, "r"); posture.KindOf(err) != posture.SignInNeeded {
		t.Errorf("a revoked token opens: %v", err)
	}
	list, err := db.Store.Tokens(t.Context(), admin)
	if err != nil || len(list) != 2 || list[1].LastUsed.IsZero() {
		t.Errorf("list %+v, %v", list, err)
	}
}
