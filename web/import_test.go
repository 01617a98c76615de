package web_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/web/webtest"
)

// junit is a results file: a pair at the receiver whose deny fails, a skipped
// case, an unmapped one, and one that is refused.
func junit(extra string) string {
	prop := func(name, value string) string {
		return fmt.Sprintf(`<property name="demarc.%s" value=%q/>`, name, value)
	}
	at := prop("statement", "AD-1") + prop("case", "SD-05") + prop("receiver", "document-search") + prop("control_before", "yes") + prop("control_after", "yes")
	return `<?xml version="1.0"?>
<testsuites timestamp="2026-11-30T10:00:00Z">
<testsuite name="search" timestamp="2026-11-30T10:00:00Z">
<testcase name="acme reads its own"><properties>` + at + prop("expected", "permit") + `</properties></testcase>
<testcase name="acme naming birch"><properties>` + at + prop("expected", "deny") + prop("observed_behaviour", "BIRCH-MARK-01 came") + `</properties><failure message="it came"/></testcase>
<testcase name="resume"><properties>` + prop("statement", "LF-2") + prop("case", "SR-05") + prop("expected", "deny") + `</properties><skipped/></testcase>
<testcase name="own check"><system-out>password=hunter2hunter2</system-out></testcase>
<testcase name="no side"><properties>` + prop("statement", "FS-1") + `</properties></testcase>
` + extra + `</testsuite>
</testsuites>`
}

// sendImport sends the import form with files.
func sendImport(t *testing.T, c *webtest.Client, fields url.Values, files map[string]string) *webtest.Page {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, values := range fields {
		for _, v := range values {
			if err := w.WriteField(name, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, content := range files {
		field, file, _ := strings.Cut(name, "=")
		part, err := w.CreateFormFile(field, file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return c.Send(http.MethodPost, "/evidence/import", w.FormDataContentType(), body.Bytes())
}

// confirmImport sends the confirmation of a preview as it stands.
func confirmImport(t *testing.T, c *webtest.Client, preview *webtest.Page) *webtest.Page {
	t.Helper()
	fields := webtest.Filled(preview.Doc.Find("form#confirm"))
	fields.Set("confirm", "1")
	return sendImport(t, c, fields, nil)
}

func TestImportInThreeSteps(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	page := editor.Get("/evidence/import?runtime=case-assistant").Status(http.StatusOK)
	page.Says("#f-runtime option[selected]", "Case assistant").Says(".steps [aria-current]", "File")
	page.Says("#taken-case-assistant tr:nth-child(4)", "1.14.2").Has("input[name=same][value=version]").Has("input[name='id.version']")
	if got := page.Texts("#taken-case-assistant input[checked]"); len(got) != 0 {
		t.Errorf("identity is assumed: %q", got)
	}

	preview := sendImport(t, editor, url.Values{"runtime": {"case-assistant"}}, map[string]string{"file=run.xml": junit("")}).Status(http.StatusOK)
	preview.Says(".steps [aria-current]", "5 records").Says(".counts", "5 read 4 to store 1 refused 1 unmapped 1 secret redacted")
	rows := preview.Texts("section[aria-labelledby=h-preview] tbody tr")
	for i, want := range []string{
		"no effect: vendor, product, variant, version, policy, config and region are not known on both sides", "counts: contradicts at the receiver, though",
		"no evidence: not executed", "kept, listed, never counted",
	} {
		if i >= len(rows) || !strings.Contains(rows[i], want) {
			t.Errorf("row %d is %q, want %q", i, rows, want)
		}
	}
	preview.Says("section[aria-labelledby=h-refused] tbody tr", "Expected is missing; it is never inferred from a name")
	preview.Says("section[aria-labelledby=h-moves] tbody tr", "AD-1 at document-search").Has("section[aria-labelledby=h-moves] td[data-l=To] .v[data-v=contradicted]")
	preview.Says("aside", "Good news needs identity").Says("aside", "1 unmapped result").Says("aside form button", "Store 4 records")
	preview.Has("#taken-document-search input[name='id.document-search.version']").Has("#again #f-file")
	if strings.Contains(preview.Body, "hunter2") || strings.Contains(preview.Body, "--receiver") {
		t.Error("the preview shows a secret or a flag")
	}
	if rows, _, err := s.DB.Store.Runs(t.Context(), s.tester, posture.AsOf{}, 0, 10); err != nil || len(rows) != 0 {
		t.Errorf("the preview stored %d runs, %v", len(rows), err)
	}

	stored := confirmImport(t, editor, preview).Status(http.StatusSeeOther)
	at := stored.Header.Get("Location")
	if !strings.HasPrefix(at, "/evidence/runs/") {
		t.Fatalf("stored at %q", at)
	}
	receipt := stored.Follow().Status(http.StatusOK)
	receipt.Says(".toast", "5 records read = 4 stored + 1 refused. AD-1 on document-search moved from not stated to contradicted.")
	receipt.Says("h1", "run.xml").Says(".ban", "Stored as run "+strings.TrimPrefix(at, "/evidence/runs/")).Says("section[aria-labelledby=h-refused]", "Expected is missing")
	receipt.Has("main a[href^='/discrepancies/']").Has("a[href='" + at + "/receipt.json']").Has("section[aria-labelledby=h-moves] a[href='/dependencies/document-search/cells/AD-1']")
	receipt.Says("section[aria-labelledby=h-counts]", "1 secret, before anything was kept").Says("section[aria-labelledby=h-counts]", "3 of 4 mapped, 1 unmapped")
	if got := receipt.Texts("section[aria-labelledby=h-results] tbody tr"); len(got) != 4 || !strings.Contains(got[3], "unmapped") {
		t.Errorf("results %q", got)
	}
	sha := strings.TrimPrefix(receipt.Attr(".ph a[href^='/artefacts/']", "href"), "/artefacts/")
	copied := editor.Get("/artefacts/" + sha).Status(http.StatusOK)
	if !strings.Contains(copied.Body, "[redacted: password]") || strings.Contains(copied.Body, "hunter2") || !strings.Contains(copied.Body, "BIRCH-MARK-01") {
		t.Errorf("the stored copy is\n%s", copied.Body)
	}
}

func TestTheSameBytesChangeNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	file := map[string]string{"file=run.xml": junit("")}
	confirmImport(t, editor, sendImport(t, editor, url.Values{"runtime": {"case-assistant"}}, file).Status(http.StatusOK)).Status(http.StatusSeeOther)
	s.DB.Clock.Add(time.Minute)
	again := sendImport(t, editor, url.Values{"runtime": {"case-assistant"}}, map[string]string{"file=renamed.xml": junit("")}).Status(http.StatusSeeOther)
	again.Follow().Says(".toast", "renamed.xml was already imported on 30 Nov 2026 13:00 UTC. The same bytes change nothing")
	if rows, _, err := s.DB.Store.Runs(t.Context(), s.tester, posture.AsOf{}, 0, 10); err != nil || len(rows) != 1 {
		t.Errorf("%d runs, %v", len(rows), err)
	}
}

func TestIdentityIsAskedAndNeverAssumed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	all := []string{"vendor", "product", "variant", "version", "policy", "config", "region"}
	fields := url.Values{"runtime": {"case-assistant"}, "same.document-search": all, "same": {"vendor", "version"}, "id.config": {"sha256:b71d004e"}}
	preview := sendImport(t, editor, fields, map[string]string{"file=run.xml": junit("")}).Status(http.StatusOK)
	rows := preview.Texts("section[aria-labelledby=h-preview] tbody tr")
	if !strings.Contains(rows[0], "counts: half of a pair") || !strings.Contains(rows[1], "counts: contradicts, exact identity at the receiver") {
		t.Errorf("rows %q", rows)
	}
	compared := preview.Texts("aside table tbody tr")
	for facet, want := range map[string]string{"Vendor": "match", "Version": "match", "Config": "drifted", "Region": "not stated"} {
		found := false
		for _, row := range compared {
			found = found || (strings.HasPrefix(row, facet) && strings.HasSuffix(row, want))
		}
		if !found {
			t.Errorf("%s is not shown as %q in %q", facet, want, compared)
		}
	}
	preview.Says("aside", "Config is not what runs: passes in this file lift nothing").Says("aside", "Everything that evidence needs matches at document-search")
	preview.Has("#again input[name='same.document-search'][value=version][checked]")
	if got := preview.Attr("#again input[name='id.config']", "value"); got != "sha256:b71d004e" {
		t.Errorf("typed config came back as %q", got)
	}
	receipt := confirmImport(t, editor, preview).Status(http.StatusSeeOther).Follow()
	receipt.Says("section[aria-labelledby=h-taken]", "sha256:b71d004e").Says("section[aria-labelledby=h-taken]", "1.14.2")

	both := sendImport(t, editor, url.Values{"runtime": {"case-assistant"}, "same": {"version"}, "id.version": {"2.0"}}, map[string]string{"file=x.xml": junit("<!-- 2 -->")})
	both.Status(http.StatusUnprocessableEntity).Says(".field.bad", "Say either that it was the same, or what it was.")
	unknown := sendImport(t, editor, url.Values{"same": {"version"}}, map[string]string{"file=x.xml": junit("<!-- 2 -->")})
	unknown.Status(http.StatusUnprocessableEntity).Has(".field.bad #f-runtime")
}

func TestFilesBesideTheResults(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	results := `<testsuites><testsuite name="iso"><testcase name="reads own"/><testcase name="refused other"/></testsuite></testsuites>`
	mapping := "version: 1\nrules:\n  - {suite: iso, name: reads*, statement: FS-1, case: XS-01, expected: permit, control: both}\n" +
		"  - {suite: iso, name: refused*, statement: FS-1, case: XS-01, expected: deny, control: both}\n"
	identity := "runtime: case-assistant\nobserved_at: 2026-11-30T10:00:00Z\nvendor: V\nproduct: P\nvariant: microvm\nversion: 1.14.2\n" +
		"image: sha256:9f2c41ab\npolicy: sha256:41d86e02\nconfig: sha256:c3aa90f7\nregion: eu\n"
	timeless := sendImport(t, editor, url.Values{"runtime": {"case-assistant"}}, map[string]string{"file=r.xml": results})
	timeless.Status(http.StatusUnprocessableEntity).Says(".field.bad", "r.xml").Says(".field.bad", "under “Observed at”")

	preview := sendImport(t, editor, nil, map[string]string{"file=r.xml": results, "map=m.yaml": mapping, "identity=r.identity.yaml": identity}).Status(http.StatusOK)
	preview.Says(".steps", "identity read from r.identity.yaml").Says(".steps", "mapped by m.yaml").Says("aside", "Everything that evidence needs matches")
	preview.Says("section[aria-labelledby=h-moves]", "FS-1").Has("section[aria-labelledby=h-moves] td[data-l=To] .v[data-v=tested]")
	preview.Says("section[aria-labelledby=h-preview] tbody", "by rule 1")

	// Another look without the mapping, then with it again.
	fields := webtest.Filled(preview.Doc.Find("form#again"))
	fields.Set("drop_map", "yes")
	bare := sendImport(t, editor, fields, nil).Status(http.StatusOK)
	bare.Says(".counts", "2 unmapped").Says("section[aria-labelledby=h-moves]", "No verdict moves.")
	fields.Del("drop_map")
	fields.Set("runtime", "")
	preview = sendImport(t, editor, fields, map[string]string{"map=m.yaml": mapping}).Status(http.StatusOK)
	confirmImport(t, editor, preview).Status(http.StatusSeeOther).Follow().Says(".toast", "FS-1 on case-assistant moved from not stated to tested.")

	for field, content := range map[string]string{"map": "version: 2", "identity": "colour: blue"} {
		page := sendImport(t, editor, nil, map[string]string{"file=r.xml": results, field + "=f.yaml": content})
		page.Status(http.StatusUnprocessableEntity).Has(".field.bad #f-"+field).Says(".field.bad .err", "f.yaml:1")
	}
}

func TestImportsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	sendImport(t, editor, nil, nil).Status(http.StatusUnprocessableEntity).Says(".field.bad", "Choose a results file.")
	for name, c := range map[string]struct {
		fields  url.Values
		content string
		at      string
		says    string
	}{
		"no results":   {nil, "<html><body>hello</body></html>", "file", "HTML"},
		"cut entities": {nil, `<!DOCTYPE x [<!ENTITY a "b">]><testsuites/>`, "file", "x.xml:1"},
		"nothing":      {nil, `<testsuites></testsuites>`, "file", "nothing was recognised to import"},
		"no zone":      {url.Values{"zone": {"Mars/Olympus"}}, junit(""), "zone", "no time zone"},
		"no time":      {url.Values{"observed_at": {"yesterday"}}, junit(""), "observed_at", "such as 2026-11-23T09:15"},
		"ahead":        {url.Values{"observed_at": {"2027-01-01T00:00"}}, junit(""), "observed_at", "lies ahead"},
		"no runtime":   {url.Values{"runtime": {"none"}}, junit(""), "runtime", "no runtime none"},
		"any region":   {url.Values{"id.region": {"any"}}, junit(""), "", "any"},
	} {
		page := sendImport(t, editor, c.fields, map[string]string{"file=x.xml": c.content})
		if page.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", name, page.Code)
			continue
		}
		if c.at != "" {
			page.Has(".field.bad #f-" + c.at)
		}
		page.Says("main form", c.says)
	}
	large := junit("<!--" + strings.Repeat("x", 10<<20) + "-->")
	sendImport(t, editor, nil, map[string]string{"file=large.xml": large}).Status(http.StatusUnprocessableEntity).Says(".field.bad", "larger than 10 MiB")
	large += strings.Repeat("x", 2<<20)
	sendImport(t, editor, nil, map[string]string{"file=large.xml": large}).Status(http.StatusRequestEntityTooLarge)
}

func TestAFileThatIsNoLongerHeld(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	preview := sendImport(t, editor, url.Values{"runtime": {"case-assistant"}, "tester": {"T. Arroyo"}}, map[string]string{"file=run.xml": junit("")}).Status(http.StatusOK)
	s.DB.Clock.Add(16 * time.Minute)
	gone := confirmImport(t, editor, preview).Status(http.StatusUnprocessableEntity)
	gone.Says(".field.bad", "The file is no longer held here").Has(".field.bad #f-file").Says("#f-runtime option[selected]", "Case assistant")
	if got := gone.Attr("#f-tester", "value"); got != "T. Arroyo" {
		t.Errorf("the tester came back as %q", got)
	}
	other := s.AsPerson(t, posture.Person{Name: "Other", Email: "o@example.org", Role: posture.Editor, AllPortfolios: true})
	preview = sendImport(t, editor, url.Values{"runtime": {"case-assistant"}}, map[string]string{"file=run.xml": junit("")}).Status(http.StatusOK)
	confirmImport(t, other, preview).Status(http.StatusUnprocessableEntity)

	// A confirmation that comes with another file previews that one.
	fields := webtest.Filled(preview.Doc.Find("form#confirm"))
	fields.Set("confirm", "1")
	swapped := sendImport(t, editor, fields, map[string]string{"file=other.xml": junit("<!-- other -->")}).Status(http.StatusOK)
	swapped.Says(".ban.info", "another file than the one you previewed").Says(".steps", "other.xml")
	confirmImport(t, editor, swapped).Status(http.StatusSeeOther)
}

func TestOnlyThoseWhoRecordMayImport(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, role := range posture.Roles() {
		c := s.As(t, role)
		want, posted := http.StatusForbidden, http.StatusForbidden
		if (posture.Access{Role: role}).May(posture.RecordEvidence) {
			want, posted = http.StatusOK, http.StatusOK
		}
		c.Get("/evidence/import").Status(want)
		sendImport(t, c, url.Values{"runtime": {"case-assistant"}}, map[string]string{"file=run.xml": junit("")}).Status(posted)
	}
	s.DB.Clock.Add(48 * time.Hour)
	editor := s.AsPerson(t, posture.Person{Name: "E", Email: "e3@example.org", Role: posture.Editor, AllPortfolios: true})
	editor.Get("/evidence/import?as_of=2026-11-30").Status(http.StatusConflict)
}

func TestARunWithoutARuntime(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor := s.As(t, posture.Editor)
	preview := sendImport(t, editor, nil, map[string]string{"file=run.xml": junit("")}).Status(http.StatusOK)
	preview.Says("aside", "No runtime is named.").Says(".steps", "reaches no cell").Says(".ban", "Unattributed.").Says("section[aria-labelledby=h-preview] tbody tr", "kept: unattributed, reaches no cell")
	receipt := confirmImport(t, editor, preview).Status(http.StatusSeeOther).Follow()
	receipt.Says(".toast", "No verdict moved.").Says("main", "Nothing reaches a cell: the run is unattributed, it names no runtime")
	editor.Get("/evidence/runs").Says("tbody tr", "none named").Says("tbody tr", "unattributed")
}
