package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"demarc/store/posture"
)

// terms are an acceptance that its form takes.
func (s *formScene) terms(days int, covers ...string) url.Values {
	now := s.DB.Clock.Now()
	return url.Values{
		"covers": covers, "severity": {"high"}, "condition": {"no restricted documents indexed"},
		"expires_at": {now.AddDate(0, 0, days).Format(time.DateOnly)}, "review_at": {now.AddDate(0, 0, 14).Format(time.DateOnly)},
	}
}

func TestAcceptingARisk(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	one, two := s.failure(t, "SD-01"), s.failure(t, "SD-05")
	address := on("/accept", s.receiver, "AD-1")
	form := s.risk.Get(address).Status(http.StatusOK)
	form.Says("h1", "Accept the risk on AD-1").Has("input[name=covers][value=" + one + "][checked]").Has("input[name=covers][value=" + two + "][checked]")
	form.Has("select[name=severity] option[value=very_high][selected]").Says("output#f-acceptor", "Ines Marchetti").Says("output#f-identity", "document-search")

	refused := form.Submit("#fill", s.terms(90, one)).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-expires_at-e", "90 days is more than a very high severity allows. The last possible day is 30 Dec 2026.")
	refused.Says("#f-covers-e", two+" is open and not named").Has("input[name=covers][value=" + one + "][checked]").HasNot("input[name=covers][value=" + two + "][checked]")
	refused.Says("[role=alert]", "Not recorded: 2 fields need another look").Says("textarea[name=condition]", "no restricted documents indexed")

	shown := form.Submit("#fill", s.terms(20, one, two)).Status(http.StatusOK)
	shown.Says("td[data-l=From]", "contradicted").Says("td[data-l=To]", "accepted risk").Says("td[data-l=Because]", "carried by this acceptance")
	shown.Says("section:has(#effect)", "It is recorded as very high").Says("section:has(#effect)", "It lapses at once when policy or configuration moves")
	shown.Says(".kv", one+" and "+two)
	saved := confirm(shown).Status(http.StatusSeeOther)
	if got, want := saved.Header.Get("Location"), "/dependencies/document-search/cells/AD-1"; got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	page := s.risk.Get("/evidence/" + one).Status(http.StatusOK)
	page.Says(".toast", "moved from contradicted to accepted risk").Says("section:has(#acceptances) td[data-l=State]", "carries the verdict")

	revoke := s.risk.Get(page.Attr("a[href^='/revoke/A-']", "href")).Status(http.StatusOK)
	revoke.Says(".kv", "no restricted documents indexed").Says("td[data-l=To]", "contradicted").Says("td[data-l=Because]", "no longer carries it")
	revoke.Submit("#confirm", url.Values{"reason": {""}}).Status(http.StatusUnprocessableEntity).Says("#f-reason-e", "Write the reason")
	s.DB.Clock.Add(time.Minute)
	revoke.Submit("#confirm", url.Values{"reason": {"a restricted document was indexed"}}).Status(http.StatusSeeOther)
	s.risk.Get("/evidence/"+one).Says(".toast", "moved from accepted risk to contradicted").Says("section:has(#acceptances) td[data-l=State]", "revoked on")
	s.risk.Get(revoke.Path).Status(http.StatusNotFound)
}

func TestAcceptingAShortfall(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	form := s.risk.Get(on("/accept", s.unit, "FS-1")).Status(http.StatusOK)
	form.Says("output#f-covers", "the shortfall").HasNot("input[name=covers]")
	shown := form.Submit("#fill", s.terms(30)).Status(http.StatusOK)
	shown.Says("td[data-l=To]", "accepted risk").Says(".kv", "the shortfall")
	confirm(shown).Status(http.StatusSeeOther)
}

func TestOnlyRiskOwnersAccept(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	one := s.failure(t, "SD-01")
	address := on("/accept", s.receiver, "AD-1")
	forged := s.terms(20, one)
	forged.Set("confirm", "1")
	for _, role := range posture.Roles() {
		c := s.As(t, role)
		if role == posture.RiskOwner {
			c.Get(address).Status(http.StatusOK)
			c.Get("/evidence/" + one).Has("main a[href^='/accept?']")
			continue
		}
		c.Get(address).Status(http.StatusForbidden)
		c.Post(address, forged).Status(http.StatusForbidden)
		c.Get("/evidence/" + one).HasNot("main a[href^='/accept?']")
	}
	owner := s.person(t, "R. Banerjee", "banerjee@example.org", posture.RiskOwner)
	owner.Get(address).Submit("#fill", s.terms(20, one)).Status(http.StatusUnprocessableEntity).Says("#f-acceptor-e", "another risk owner accepts its risk")
	for _, bad := range []string{"/accept", "/accept?subject=x&statement=AD-1", on("/accept", s.receiver, "ZZ-9"), on("/accept", 9999, "AD-1")} {
		s.risk.Get(bad).Status(http.StatusNotFound)
	}
}

func TestRulingOut(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	address := on("/rule-out", s.unit, "FS-2")
	form := s.closer.Get(address).Status(http.StatusOK)
	form.Submit("#fill", url.Values{"reason": {"sandboxed"}}).Status(http.StatusUnprocessableEntity).Says("#f-reason-e", "Kept from whom, by what?")
	shown := form.Submit("#fill", url.Values{"reason": {"sessions have no persistent disk"}, "expires_at": {"2027-03-01"}}).Status(http.StatusOK)
	shown.Says("td[data-l=To]", "not applicable").Says("section:has(#effect)", "A failure outranks it").Says(".kv", "1 Mar 2027, 00:00 UTC")
	confirm(shown).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)

	again := s.closer.Get(address).Says("section:has(#so-far)", "until 1 Mar 2027 00:00 UTC")
	revoke := s.closer.Get(again.Attr("a[href^='/revoke/N-']", "href")).Status(http.StatusOK)
	revoke.Says("td[data-l=To]", "not stated").Says(".kv", "sessions have no persistent disk")
	revoke.Submit("#confirm", url.Values{"reason": {"a disk was attached"}}).Status(http.StatusSeeOther)
	for _, role := range []posture.Role{posture.Viewer, posture.Procurement, posture.Auditor} {
		c := s.As(t, role)
		c.Get(address).Status(http.StatusForbidden)
		c.Post(address, url.Values{"reason": {"x"}, "confirm": {"1"}}).Status(http.StatusForbidden)
		c.Get(on("/revoke/N-0002", s.unit, "FS-2")).Status(http.StatusForbidden)
	}
	s.closer.Get("/revoke/X-1").Status(http.StatusNotFound)
	s.closer.Get("/revoke/N-0002").Status(http.StatusNotFound)
	s.closer.Get("/revoke/").Status(http.StatusNotFound)
}
