package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

func TestMetricsAreForThisMachineOrATokenAlone(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	_, secret, err := site.DB.Store.CreateToken(t.Context(), storetest.As(posture.Admin), "scraper", posture.Viewer, 30)
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]struct {
		from, forwarded, token string
		want                   int
	}{
		"this machine":             {"127.0.0.1:4000", "", "", http.StatusOK},
		"this machine, IPv6":       {"[::1]:4000", "", "", http.StatusOK},
		"another machine":          {"203.0.113.9:4000", "", "", http.StatusForbidden},
		"a proxy on this machine":  {"127.0.0.1:4000", "203.0.113.9", "", http.StatusForbidden},
		"another, a token":         {"203.0.113.9:4000", "", secret, http.StatusOK},
		"another, a wrong token":   {"203.0.113.9:4000", "", "demarc_wrong", http.StatusForbidden},
		"another, no token at all": {"203.0.113.9:4000", "", " ", http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
		r.RemoteAddr = ask.from
		if ask.forwarded != "" {
			r.Header.Set("X-Forwarded-For", ask.forwarded)
		}
		if ask.token != "" {
			r.Header.Set("Authorization", "Bearer "+ask.token)
		}
		w := httptest.NewRecorder()
		site.Handler.ServeHTTP(w, r)
		if w.Code != ask.want {
			t.Errorf("%s: status %d, want %d", name, w.Code, ask.want)
		}
		if w.Code == http.StatusOK && !strings.Contains(w.Body.String(), "go_goroutines") {
			t.Errorf("%s: no figures: %.200s", name, w.Body)
		}
	}
}
