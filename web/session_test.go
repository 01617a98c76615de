package web

import (
	"testing"

	"demarc/store"
)

func TestOverHTTPSTheCookieIsBoundToTheHost(t *testing.T) {
	t.Parallel()
	cookie := newSessions(Config{Store: &store.Store{}, Secure: true}).Cookie
	if cookie.Name != "__Host-demarc" || !cookie.Secure || !cookie.HttpOnly || cookie.Path != "/" || cookie.Domain != "" {
		t.Errorf("cookie %+v", cookie)
	}
}
