package web_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/web/webtest"
)

func TestRecordingATestShowsItsEffectFirst(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	address := on("/evidence/new", s.receiver, "AD-1", "kind", "test")
	form := s.tester.Get(address).Status(http.StatusOK)
	form.Says("h1", "test on AD-1").Says("main", "must not obtain another tenant’s record")
	target := searchS4()
	for facet, want := range target.Map() {
		if got := form.Attr("#fill input[name="+facet+"]", "value"); got != want {
			t.Errorf("%s is filled in as %q, want %q", facet, got, want)
		}
	}
	form.Has("#f-case-l option[value='SD-01']")
	if got := form.Attr("input[name=tester]", "value"); got != "T. Arroyo" {
		t.Errorf("the tester is filled in as %q", got)
	}

	shown := form.Submit("#fill", s.testOf("run 2", "SD-01", "deny", "fail")).Status(http.StatusOK)
	shown.HasNot("#fill").Has("#confirm").Has("#confirm input[type=file]")
	shown.Says("section:has(#effect) td[data-l=From]", "not stated").Says("section:has(#effect) td[data-l=To]", "contradicted")
	shown.Says("section:has(#effect) td[data-l=Because]", "this record stands against it")
	list, _, err := s.DB.Store.Evidence(t.Context(), posture.Access{AllPortfolios: true}, posture.AsOf{}, posture.RecordFilter{})
	if err != nil || len(list) != 0 {
		t.Fatalf("the preview saved %v, %v", list, err)
	}

	back := shown.Submit("#confirm", url.Values{"confirm": {"0"}}).Status(http.StatusOK)
	if got := back.Attr("#fill input[name=run]", "value"); got != "run 2" {
		t.Errorf("what was typed came back as %q", got)
	}
	back.Has("input[name=expected][value=deny][checked]").Has("input[name=control_ok][checked]")

	saved := confirm(shown).Status(http.StatusSeeOther)
	page := saved.Follow().Status(http.StatusOK)
	page.Says(".toast", "is recorded. AD-1 on document-search moved from not stated to contradicted.")
	page.Says("h1", "test, deny on AD-1").Says("#case ~ *, section:has(#case)", "document-search, rule 7")
	page.Says("aside", "Shows the opposite on this very target")
	half := s.tester.Get(page.Attr("a[href^='/evidence/new?']", "href")).Status(http.StatusOK)
	half.Has("input[name=run][value='run 2']").Has("input[name=expected][value=permit][checked]")
}

func TestAFormOfEvidenceIsSentBackWhole(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	address := on("/evidence/new", s.unit, "FS-1", "kind", "test")
	typed := s.testOf("", "XS-01", "", "pass")
	typed.Set("observed_at", "2027-01-01T00:00")
	typed.Set("words", "sandboxed")
	typed["expected"] = nil
	refused := s.tester.Get(address).Submit("#fill", typed).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-run-e", "Name the run").Says("#f-expected-e", "never inferred").Says("#f-observed_at-e", "lies after now").Says("#f-words-e", "Kept from whom, by what?")
	refused.Says("[role=alert]", "Not recorded: 4 fields need another look").Has("input[name=outcome][value=pass][checked]")

	config := s.tester.Get(on("/evidence/new", s.unit, "FS-1", "kind", "configuration"))
	refused = config.Submit("#fill", url.Values{"polarity": {"supports"}, "region": {"any"}, "observed_at": {"2026-11-01T10:00"}}).Status(http.StatusUnprocessableEntity)
	refused.Says("#f-region-e", "Name the region it was taken in").Says("#f-words-e", "in a sentence")
}

func TestADocumentIsFilledInWithWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	reader := s.person(t, "S. Whitlock", "whitlock@example.org", posture.Procurement)
	form := reader.Get(on("/evidence/new", s.unit, "FS-1", "kind", "documentation")).Status(http.StatusOK)
	if got := form.Attr("#fill input[name=image]", "value"); got != "" {
		t.Errorf("a document is about the image %q", got)
	}
	if got := form.Attr("#fill input[name=product]", "value"); got != "Product P" {
		t.Errorf("a document is about the product %q", got)
	}
	form.HasNot("input[name=run]").Has("input[name=pre_ga]")
	if got := form.Texts(".seg a"); !slices.Equal(got, []string{"statement", "documentation", "attestation"}) {
		t.Errorf("procurement may record %q", got)
	}
	typed := url.Values{
		"polarity": {"supports"}, "words": {"“Each session has its own microVM.”"}, "region": {"any"},
		"url": {"https://docs.vendor-v.example/isolation"}, "observed_at": {"2026-11-20T09:00"},
	}
	first := s.record(t, reader, form.Path, typed)
	reader.Get("/evidence/"+first).Says("aside", "documented").Has("a[rel~=noopener][href='https://docs.vendor-v.example/isolation']")
	typed.Set("observed_at", "2026-11-25T09:00")
	second := s.record(t, reader, form.Path, typed)
	reader.Get("/evidence/"+first).Says(".ban", "Superseded").Has(".ban a[href='/evidence/"+second+"']").
		Says("aside", "a newer capture of the same address")
}

func TestChoosingWhatEvidenceIsAbout(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	choice := s.tester.Get("/evidence/new").Status(http.StatusOK)
	choice.Has("#choose select[name=subject] option").Has("input[name=kind][value=test]")
	wrong := choice.Submit("#choose", url.Values{"subject": {idOf(s.unit)}, "statement": {"AD-1"}, "kind": {"test"}}).Status(http.StatusOK)
	wrong.Says("#f-statement-e", "AD-1 is judged on each receiver, not on the isolation unit of case-assistant")
	wrong.HasNot("option[value='AD-1']").Has("option[value='FS-1']")
	wrong.Submit("#choose", url.Values{"statement": {"FS-1"}}).Status(http.StatusOK).Has("#fill")
	s.tester.Get(on("/evidence/new", 9999, "FS-1", "kind", "test")).Status(http.StatusNotFound)
}

func TestWhoMayRecordEvidence(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	for _, role := range posture.Roles() {
		c := s.As(t, role)
		claims, tests := http.StatusForbidden, http.StatusForbidden
		if c.Person.Role == posture.Procurement || c.Person.Role == posture.Editor || c.Person.Role == posture.Admin {
			claims = http.StatusOK
		}
		if c.Person.Role == posture.Editor || c.Person.Role == posture.Admin {
			tests = http.StatusOK
		}
		test, claim := on("/evidence/new", s.receiver, "AD-1", "kind", "test"), on("/evidence/new", s.receiver, "AD-1", "kind", "statement")
		c.Get(test).Status(tests)
		c.Get(claim).Status(claims)
		c.Post(test, s.testOf("r", "SD-01", "deny", "fail")).Status(tests)
		forged := s.testOf("r", "SD-01", "deny", "fail")
		forged.Set("confirm", "1")
		if tests == http.StatusForbidden {
			c.Post(test, forged).Status(http.StatusForbidden)
		}
		list := c.Get("/evidence").Status(http.StatusOK)
		if claims == http.StatusOK {
			list.Has("a[href='/evidence/new']")
		} else {
			list.HasNot("a[href='/evidence/new']")
		}
	}
	if list, _, err := s.DB.Store.Evidence(t.Context(), posture.Access{AllPortfolios: true}, posture.AsOf{}, posture.RecordFilter{}); err != nil || len(list) != 0 {
		t.Errorf("somebody recorded %v, %v", list, err)
	}
}

func TestNothingIsRecordedOnAPastDay(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	id := s.failure(t, "SD-01")
	day := "as_of=" + s.DB.Clock.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	for _, path := range []string{
		on("/evidence/new", s.receiver, "AD-1", "kind", "test"), on("/accept", s.receiver, "AD-1"), on("/rule-out", s.receiver, "AD-1"),
		"/evidence/" + id + "/withdraw?x=", "/evidence/" + id + "/close?kind=test_invalid",
	} {
		c := s.tester
		if strings.HasPrefix(path, "/accept") {
			c = s.risk
		}
		c.Get(path+"&"+day).Status(http.StatusConflict).Says("main", "A past day can be read, not changed")
		c.Post(path+"&"+day, url.Values{"confirm": {"1"}}).Status(http.StatusConflict)
	}
	s.tester.Get("/evidence?" + day).Status(http.StatusOK).Has(".ban.asof").HasNot("a[href^='/evidence/new']")
	s.tester.Get("/evidence/" + id + "?" + day).Status(http.StatusNotFound)
}

func TestWhatWasSeenIsKeptAndSavedAsAFile(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	body := []byte("<html><script>alert(1)</script></html>")
	typed := s.testOf("run 2", "SD-01", "deny", "fail")
	shown := s.tester.Get(on("/evidence/new", s.receiver, "AD-1", "kind", "test")).Submit("#fill", typed).Status(http.StatusOK)
	fields := webtest.Filled(shown.Doc.Find("#confirm"))
	fields.Set("confirm", "1")
	saved := sendFile(t, s.tester, shown.Attr("#confirm", "action"), fields, `C:\seen\trace "one".html`, body).Status(http.StatusSeeOther)
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:])
	page := saved.Follow().Status(http.StatusOK).Says("#sha", digest)
	got := s.tester.Get(page.Attr("a[href^='/artefacts/']", "href")).Status(http.StatusOK)
	if got.Body != string(body) {
		t.Errorf("saved %q", got.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": `attachment; filename="trace \"one\".html"`,
	} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	s.tester.Get("/artefacts/" + strings.Repeat("0", 64)).Status(http.StatusNotFound)
	s.tester.Get("/artefacts/nonsense").Status(http.StatusNotFound)

	large := sendFile(t, s.tester, shown.Attr("#confirm", "action"), fields, "large.bin", bytes.Repeat([]byte("x"), 10<<20+1))
	large.Status(http.StatusUnprocessableEntity).Says("#f-artefact-e", "larger than 10 MiB")
}

// sendFile sends a form with a file, as a browser would.
func sendFile(t *testing.T, c *webtest.Client, address string, fields url.Values, name string, body []byte) *webtest.Page {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for field, values := range fields {
		for _, v := range values {
			if err := w.WriteField(field, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {multipart.FileContentDisposition("file", name)}, "Content-Type": {"text/html"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return c.Send(http.MethodPost, address, w.FormDataContentType(), b.Bytes())
}
