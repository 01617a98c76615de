package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestClosingAFixTakesALaterRefusalAndASecondPerson(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	address := "/evidence/" + failed + "/close"
	s.closer.Get(address).Status(http.StatusOK).Says("output#f-evidence", "nothing yet").Says("#f-evidence-h", "Run the case again")

	onOther := s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test"), s.testOf("run 3", "SD-05", "deny", "pass"))
	passed := s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test"), s.testOf("run 3", "SD-01", "deny", "pass"))
	s.tester.Get("/evidence/"+passed).Says("aside .v", "contradicted")

	form := s.closer.Get(address).Status(http.StatusOK)
	form.Has("input[name=evidence][value=" + passed + "]").HasNot("input[name=evidence][value=" + onOther + "]")
	form.Says("ul.bul", onOther).Says("ul.bul", "it is of case SD-05, not SD-01")
	form.Says(".seg a[aria-current]", "Fixed and verified")

	refused := form.Submit("#fill", url.Values{"fix": {""}}).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-fix-e", "Name the fix").Says("#f-evidence-e", "Choose the passing deny").Says("[role=alert]", "Not closed: 2 fields")

	own := s.tester.Get(address).Says("label[for=f-evidence-0]", "You ran or recorded it")
	typed := url.Values{"fix": {"s4, rule 7 checks the tenant"}, "evidence": {passed}}
	own.Submit("#fill", typed).Status(http.StatusUnprocessableEntity).Says("#f-evidence-e", "Somebody else closes on it")

	shown := form.Submit("#fill", typed).Status(http.StatusOK)
	shown.Says("section:has(#effect) td[data-l=Because]", failed+" no longer counts against it").Says("section:has(#terms)", passed)
	page := confirm(shown).Follow().Status(http.StatusOK)
	page.Says(".toast", "closes "+failed).Says("section:has(#closures) td[data-l=State]", "in effect").Says("aside", "Closed by K-")
	s.closer.Get(page.Path+"/close").Submit("#fill", typed).Status(http.StatusConflict).Says("main", "already")
}

func TestClosingAsNotApplicableOrAsAWrongTest(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	wrong := s.closer.Get("/evidence/" + failed + "/close?kind=test_invalid").Status(http.StatusOK).HasNot("input[name=fix]")
	wrong.Submit("#fill", url.Values{"text": {""}}).Status(http.StatusUnprocessableEntity).Says("#f-text-e", "Write what was wrong")
	absent := s.closer.Get("/evidence/" + failed + "/close?kind=not_applicable").Status(http.StatusOK)
	absent.Submit("#fill", url.Values{"text": {"bulk export is switched off"}}).Status(http.StatusUnprocessableEntity).Says("#f-justification-e", "Choose a justification")
	shown := absent.Submit("#fill", url.Values{"text": {"bulk export is switched off"}, "justification": {"path_unreachable"}}).Status(http.StatusOK)
	shown.Says("section:has(#terms)", "path unreachable").Says("section:has(#effect) td[data-l=To]", "not stated")
	confirm(shown).Status(http.StatusSeeOther)

	read := s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "configuration"), url.Values{
		"polarity": {"contradicts"}, "words": {"tenant is taken from the request"}, "observed_at": {s.DB.Clock.Now().UTC().Format("2006-01-02T15:04")},
	})
	s.closer.Get("/evidence/" + read + "/close").HasNot(".seg a[href*=test_invalid]")
	s.closer.Get("/evidence/E-9999/close").Status(http.StatusNotFound)
	s.closer.Get("/evidence/467/close").Status(http.StatusNotFound)
}

func TestAFixOnAnEarlierTarget(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	passed := s.record(t, s.tester, on("/evidence/new", s.receiver, "AD-1", "kind", "test"), s.testOf("run 3", "SD-01", "deny", "pass"))
	moved := searchS4()
	moved[posture.Config] = "sha256:00c5"
	if _, _, err := s.DB.Store.RecordTarget(t.Context(), storetest.As(posture.Editor), s.receiver, posture.Target{Identity: moved}); err != nil {
		t.Fatal(err)
	}
	s.DB.Clock.Add(time.Minute)
	form := s.closer.Get("/evidence/" + failed + "/close").Status(http.StatusOK)
	form.Says("ul.bul", passed).Says("ul.bul", "its config is not what the closure is about")
	earlier := form.Attr("select[name=identity] option:last-child", "value")
	again := form.Submit("#fill", url.Values{"fix": {"the tenant check"}, "identity": {earlier}}).Status(http.StatusUnprocessableEntity)
	again.Has("input[name=evidence][value=" + passed + "]").Has("option[selected][value='" + earlier + "']")
	shown := again.Submit("#fill", url.Values{"evidence": {passed}}).Status(http.StatusOK)
	confirm(shown).Follow().Says("section:has(#closures) td[data-l=State]", "in effect")
}

func TestWhoMayClose(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	for _, role := range posture.Roles() {
		c := s.As(t, role)
		want := http.StatusForbidden
		if role == posture.Editor || role == posture.RiskOwner || role == posture.Admin {
			want = http.StatusOK
		}
		address := "/evidence/" + failed + "/close"
		c.Get(address).Status(want)
		if want == http.StatusForbidden {
			c.Post(address+"?kind=test_invalid", url.Values{"text": {"wrong"}, "confirm": {"1"}}).Status(want)
			c.Get("/evidence/" + failed).Status(http.StatusOK).HasNot("main a[href='" + address + "']")
		} else {
			c.Get("/evidence/" + failed).Status(http.StatusOK).Has("main a[href='" + address + "']")
		}
	}
}

func TestWithdrawing(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	doc := s.record(t, s.tester, on("/evidence/new", s.unit, "FS-1", "kind", "documentation"), url.Values{
		"polarity": {"supports"}, "words": {"each session has its own disk"}, "region": {"any"}, "observed_at": {"2026-11-20T09:00"},
	})
	page := s.tester.Get("/evidence/" + doc + "/withdraw").Status(http.StatusOK)
	page.Says("td[data-l=From]", "documented").Says("td[data-l=To]", "not stated")
	page.Submit("#confirm", url.Values{"reason": {" "}}).Status(http.StatusUnprocessableEntity).
		Says("#f-reason-e", "Write the reason").Says("td[data-l=To]", "not stated")
	done := page.Submit("#confirm", url.Values{"reason": {"the page was about the other product"}}).Status(http.StatusSeeOther).Follow()
	done.Says(".toast", "is withdrawn. FS-1 on case-assistant moved from documented to not stated.")
	done.Says(".ban", "the page was about the other product").HasNot("a[href$='/withdraw']").Says("aside", "it is withdrawn")
	s.tester.Get(page.Path).Status(http.StatusConflict).Says("main", "was withdrawn on")

	failed := s.failure(t, "SD-01")
	refused := s.tester.Get("/evidence/" + failed + "/withdraw").Status(http.StatusOK)
	refused.Says(".ban", "It is closed, not withdrawn").HasNot("#confirm").Has("a[href='/evidence/" + failed + "/close']")
	s.tester.Post("/evidence/"+failed+"/withdraw", url.Values{"reason": {"x"}, "confirm": {"1"}}).Status(http.StatusUnprocessableEntity)

	for _, role := range []posture.Role{posture.Viewer, posture.Procurement, posture.RiskOwner, posture.Auditor} {
		c := s.As(t, role)
		c.Get("/evidence/" + failed + "/withdraw").Status(http.StatusForbidden)
		c.Post("/evidence/"+failed+"/withdraw", url.Values{"reason": {"x"}, "confirm": {"1"}}).Status(http.StatusForbidden)
	}
}

func TestEvidencePagesAreFewStatements(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	for _, path := range []string{
		"/evidence", "/evidence?runtime=case-assistant&kind=test&side=against", on("/evidence", s.receiver, "AD-1"), "/evidence/" + failed,
		"/evidence/new", on("/evidence/new", s.receiver, "AD-1", "kind", "test"), "/evidence/" + failed + "/close",
	} {
		s.few(t, s.tester, path)
	}
	s.few(t, s.risk, on("/accept", s.receiver, "AD-1"))
	s.few(t, s.closer, on("/rule-out", s.receiver, "AD-1"))
}
