package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestDescribingARuntime(t *testing.T) {
	t.Parallel()
	site := withShelf(t)
	editor := site.As(t, posture.Editor)
	form := editor.Get("/runtimes/new?system=acme-box").Status(http.StatusOK)
	for name, want := range map[string]string{"vendor": "Acme", "product": "Acme Box", "variant": "microvm"} {
		if got := form.Attr("input[name="+name+"]", "value"); got != want {
			t.Errorf("%s is filled in as %q, want %q", name, got, want)
		}
	}
	form.Has("#f-product-l option[value='Birch VM']").Has("input[name='wanted.FS'][value=undecided][checked]")
	form.Says("label[for=f-profile-0]", "13 statements, tested").Says("label[for=f-profile-0]", "PE-3, FS-1")

	typed := url.Values{
		"name": {"Case Assistant, EU"}, "purpose": {"sandboxed"}, "owner": {"J. Lindqvist"}, "risk_owner": {"Ines Marchetti"}, "stage": {"production"},
		"multi_tenant": {"yes"}, "profile": {"first_review"}, "wanted.FS": {"intended"}, "intent.FS": {"isolated"}, "wanted.NW": {"not_intended"},
	}
	refused := form.Submit("#fill", typed).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-purpose-e", "Kept from whom, by what?").Says("[id='f-intent.FS-e']", "Kept from whom, by what?").Says("[id='f-intent.NW-e']", "Say why")
	refused.Has("input[name='wanted.NW'][value=not_intended][checked]").Has("input[name=multi_tenant][checked]")

	typed.Set("purpose", "answers case workers’ questions for two customers")
	typed.Set("intent.FS", "one customer’s files from the other’s, by the session’s own disk")
	typed.Set("intent.NW", "the outer network is the customer’s own")
	made := form.Submit("#fill", typed).Status(http.StatusSeeOther)
	if got := made.Header.Get("Location"); got != "/runtimes/case-assistant-eu" {
		t.Fatalf("leads to %q", got)
	}
	r, err := site.DB.Store.Runtime(t.Context(), storetest.As(posture.Viewer), "case-assistant-eu", posture.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	want := posture.Intent{Purpose: posture.PurposeNotIntended, Text: "the outer network is the customer’s own"}
	if r.Intents["NW"] != want || !r.MultiTenant || r.Stage != posture.StageProduction || r.Target.Identity[posture.Product] != "Acme Box" ||
		r.Target.Identity[posture.Version] != "" {
		t.Errorf("saved %+v", r)
	}
	editor.Get("/runtimes/new").Submit("#fill", url.Values{"name": {"case assistant eu"}}).Status(http.StatusUnprocessableEntity).Says("#f-slug-e", "Another runtime has this short name")
	editor.Get("/runtimes/new").Submit("#fill", url.Values{"slug": {"new"}}).Status(http.StatusUnprocessableEntity).Says("#f-slug-e", "Choose another")
}

func TestTwoPeopleEditOneRuntime(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	path := "/runtimes/case-assistant/edit"
	mine, theirs := s.tester.Get(path).Status(http.StatusOK), s.closer.Get(path).Status(http.StatusOK)
	theirs.Submit("#fill", url.Values{"owner": {"Platform Runtime"}, "wanted.FS": {"undecided"}, "intent.FS": {""}, "name": {"Case assistant"}}).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)

	merge := mine.Submit("#fill", url.Values{"owner": {"Agent Apps"}, "purpose": {"answers two customers’ case workers"}, "multi_tenant": nil}).Status(http.StatusConflict)
	merge.Says("[role=alert]", "P. Haas saved this record while you were writing")
	merge.Has("input[type=radio][name=owner][value='Platform Runtime']").Has("input[type=radio][name=owner][value='Agent Apps'][checked]")
	merge.Has("input[type=hidden][name=name][value='Case assistant']").Has("input[type=hidden][name='wanted.FS'][value=undecided]")
	merge.Has("input[type=hidden][name=purpose]").Says("tr:has([id='m-owner-label']) td", "J. Lindqvist")
	merge.Submit("#merge", nil).Status(http.StatusSeeOther)

	r, err := s.DB.Store.Runtime(t.Context(), storetest.As(posture.Viewer), "case-assistant", posture.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Owner != "Agent Apps" || r.Name != "Case assistant" || r.Purpose != "answers two customers’ case workers" || r.MultiTenant ||
		r.Intents["FS"].Purpose != posture.PurposeUndecided || r.Version != 3 {
		t.Errorf("saved %+v", r)
	}
}

func TestRetiringARuntimeAndBringingItBack(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	page := s.tester.Get("/runtimes/case-assistant/retire").Status(http.StatusOK)
	page.Submit("#fill", url.Values{"because": {""}}).Status(http.StatusUnprocessableEntity).Says("#f-because-e", "Say why")
	s.tester.Get("/runtimes/case-assistant/edit").Submit("#fill", url.Values{"owner": {"nobody yet"}}).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)
	stale := page.Submit("#fill", url.Values{"because": {"replaced by the next one"}}).Status(http.StatusConflict)
	stale.Says("[role=alert]", "saved by somebody else").Says("textarea[name=because]", "replaced by the next one")
	stale.Submit("#fill", nil).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)

	back := s.tester.Get("/runtimes/case-assistant/edit").Status(http.StatusOK).Has("input[name=retired][value=yes][checked]").HasNot("a[href$='/retire']")
	back.Submit("#fill", url.Values{"retired": {"no"}}).Status(http.StatusSeeOther)
	r, err := s.DB.Store.Runtime(t.Context(), storetest.As(posture.Viewer), "case-assistant", posture.AsOf{})
	if err != nil || r.Retired {
		t.Errorf("retired %t, %v", r.Retired, err)
	}
	s.tester.Get("/dependencies/document-search/retire").Submit("#fill", url.Values{"because": {"switched off"}}).
		Status(http.StatusUnprocessableEntity).Says("[role=alert]", "Sessions of case-assistant use it")
}

func TestDescribingAComponentForARuntime(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tester.Get("/runtimes/case-assistant/links").Status(http.StatusOK).Says("tbody th", "document-search").Says("td[data-l='Asked of it']", "AD-1")
	choice := s.tester.Get("/runtimes/case-assistant/links/new").Status(http.StatusOK)
	form := s.tester.Get(choice.Attr("a[href^='/dependencies/new']", "href")).Status(http.StatusOK)
	form.Submit("#fill", url.Values{"name": {"Model gateway"}, "kind": {"castle"}}).Status(http.StatusUnprocessableEntity).Says("#f-kind-e", "Choose one of")
	found := form.Submit("#fill", url.Values{"name": {"Model gateway"}, "kind": {"model_provider"}, "owner": {"N. Farouk"}, "vendor": {"Us"}, "product": {"Gateway"}}).Follow().Status(http.StatusOK)
	found.Says(".toast", "model-gateway is described")
	gateway, err := s.DB.Store.Component(t.Context(), storetest.As(posture.Viewer), "model-gateway", posture.AsOf{})
	if want := (posture.Identity{posture.Vendor: "Us", posture.Product: "Gateway"}); err != nil || gateway.Target.Identity != want {
		t.Errorf("described on %q, %v", gateway.Target.Identity, err)
	}

	shown := found.Submit("form[data-component=model-gateway]", nil).Status(http.StatusOK)
	shown.Says("tr:has(.id:contains('AD-1')) td[data-l='Asked for']", "tested newly asked").Says("section:has(#asked)", "N. Farouk").Says("section:has(#asked)", "CP-1")
	confirm(shown).Follow().Status(http.StatusOK).Says(".toast", "model-gateway is linked to case-assistant").Has("a[href='/dependencies/model-gateway']")
	s.DB.Clock.Add(time.Minute)

	twice := s.tester.Post("/runtimes/case-assistant/links/new", url.Values{"component": {"model-gateway"}}).Status(http.StatusUnprocessableEntity)
	twice.Says("[role=alert]", "already")
	s.tester.Post("/runtimes/case-assistant/links/new", url.Values{"component": {"model-gateway"}, "confirm": {"1"}}).Status(http.StatusUnprocessableEntity)
	s.tester.Post("/runtimes/case-assistant/links/new", url.Values{"component": {"nothing"}}).Status(http.StatusNotFound)

	s.failure(t, "SD-01")
	links := s.tester.Get("/runtimes/case-assistant/links").Says("#unlink-document-search", "of them with something against it")
	links.Submit("#unlink-document-search form", nil).Follow().Says(".toast", "is unlinked").HasNot("a[href='/dependencies/document-search']")
	links.Submit("#unlink-document-search form", nil).Status(http.StatusUnprocessableEntity).Says("[role=alert]", "not linked")
}

func TestWhoMayEditTheInventory(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	day := "?as_of=" + s.DB.Clock.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	forms := []string{
		"/runtimes/new", "/runtimes/case-assistant/edit", "/runtimes/case-assistant/retire", "/runtimes/case-assistant/target", "/runtimes/case-assistant/links/new",
		"/runtimes/case-assistant/requirements/FS-1", "/dependencies/new", "/dependencies/document-search/edit", "/dependencies/document-search/retire",
		"/dependencies/document-search/target", "/dependencies/document-search/requirements/AD-1",
	}
	posts := append([]string{"/runtimes/case-assistant/links", "/runtimes/case-assistant/requirements", "/dependencies/document-search/requirements"}, forms...)
	for _, role := range posture.Roles() {
		c := s.As(t, role)
		may := role == posture.Editor || role == posture.Admin
		for _, path := range forms {
			if may {
				c.Get(path).Status(http.StatusOK)
				c.Get(path + day).Status(http.StatusConflict)
			} else {
				c.Get(path).Status(http.StatusForbidden)
			}
		}
		if !may {
			for _, path := range posts {
				c.Post(path, url.Values{"confirm": {"1"}, "version": {"1"}, "component": {"document-search"}}).Status(http.StatusForbidden)
			}
		}
		list := c.Get("/runtimes/case-assistant/requirements").Status(http.StatusOK)
		links := c.Get("/runtimes/case-assistant/links").Status(http.StatusOK)
		if may {
			list.Has("input[name=statement]")
			links.Has("[id^=unlink-]")
		} else {
			list.HasNot("input[name=statement]")
			links.HasNot("[id^=unlink-]")
		}
	}
	for _, path := range []string{"/runtimes/nothing/edit", "/runtimes/nothing/target", "/runtimes/nothing/links", "/dependencies/nothing/requirements", "/runtimes/case-assistant/requirements/AD-1", "/runtimes/case-assistant/requirements/ZZ-1"} {
		s.tester.Get(path).Status(http.StatusNotFound)
	}
}

func TestInventoryFormsAreFewStatements(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	failed := s.failure(t, "SD-01")
	confirm(s.risk.Get(on("/accept", s.receiver, "AD-1")).Submit("#fill", s.terms(20, failed))).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)
	for _, path := range []string{
		"/runtimes/new", "/runtimes/case-assistant/edit", "/runtimes/case-assistant/retire", "/runtimes/case-assistant/links", "/runtimes/case-assistant/links/new",
		"/runtimes/case-assistant/target", "/runtimes/case-assistant/requirements", "/runtimes/case-assistant/requirements/FS-1", "/dependencies/new",
		"/dependencies/document-search/edit", "/dependencies/document-search/target", "/dependencies/document-search/requirements",
		"/dependencies/document-search/requirements/AD-1",
	} {
		s.few(t, s.tester, path)
	}
}
