package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"demarc/importers/intake"
	"demarc/store/posture"
)

// imported imports a file into the scene and gives its run.
func (s *scene) imported(t *testing.T, name, content string) posture.Receipt {
	t.Helper()
	receipt, err := intake.Run(t.Context(), s.tester, s.DB.Store, intake.FromBytes(name, []byte(content)), intake.Options{
		Runtime: s.runtime.Slug, Now: s.DB.Clock.Now(),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.DB.Clock.Add(time.Minute)
	return receipt
}

func TestRunsAreListed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	editor, viewer := s.As(t, posture.Editor), s.As(t, posture.Viewer)
	editor.Get("/evidence/runs").Status(http.StatusOK).Has("[data-kind=nothing-yet] a[href='/evidence/import']")
	viewer.Get("/evidence/runs").Status(http.StatusOK).HasNot("[data-kind=nothing-yet] a")
	for i := range 52 {
		s.imported(t, fmt.Sprintf("run-%02d.xml", i), junit(fmt.Sprintf("<!-- %d -->", i)))
	}
	first := viewer.Get("/evidence/runs").Status(http.StatusOK)
	first.Says("tbody tr", "run-51.xml").Says("tbody tr", "case-assistant").Says("tbody tr td[data-l=Read]", "5").Says("tbody tr td[data-l=Stored]", "4").
		Says("tbody tr td[data-l=Refused]", "1").Says("tbody tr td[data-l=Failed]", "1").HasNot(".ph a.go")
	next := viewer.Get(first.Attr("a[rel=next]", "href")).Status(http.StatusOK)
	if a, b := len(first.Texts("tbody tr")), len(next.Texts("tbody tr")); a != 50 || b != 2 {
		t.Errorf("pages of %d and %d", a, b)
	}
	next.Has(".pager a[href='/evidence/runs']")
	viewer.Get("/evidence/runs?before=x").Status(http.StatusUnprocessableEntity)
	viewer.Get("/evidence/runs?as_of=2026-11-29").Status(http.StatusOK).Has("[data-kind=nothing-yet]")
}

func TestAReceipt(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	viewer := s.As(t, posture.Viewer)
	var cases strings.Builder
	for i := range 60 {
		fmt.Fprintf(&cases, "<testcase name=\"more %d\"/>\n", i)
	}
	receipt := s.imported(t, "run.xml", junit(cases.String()))
	page := viewer.Get("/evidence/runs/1").Status(http.StatusOK)
	page.Says(".sub", "Run 1, junit, imported 30 Nov 2026 13:00 UTC by").Says(".sub", "about case-assistant")
	page.Says("main", "What it proved").Says("main", "What it did not prove").Says("main", "What it does not cover")
	page.Says("main", "61 results map to no statement: kept, listed, never counted").Says("main", "1 record is neither pass nor fail")
	page.Says("section[aria-labelledby=h-counts]", "sha256:"+receipt.SHA256).Says("section[aria-labelledby=h-counts]", "sha256:"+receipt.StoredSHA256)
	page.Says("section[aria-labelledby=h-taken] .absent", "no identity")
	if got := len(page.Texts("section[aria-labelledby=h-results] tbody tr")); got != 50 {
		t.Errorf("%d results", got)
	}
	more := viewer.Get(strings.TrimSuffix(page.Attr("a[rel=next]", "href"), "#h-results")).Status(http.StatusOK)
	if got := len(more.Texts("section[aria-labelledby=h-results] tbody tr")); got != 14 {
		t.Errorf("%d results on the second page", got)
	}
	more.HasNot("a[rel=next]").Says(".pager", "records 52 to 65 of the file; 64 are stored")

	var got posture.Receipt
	answer := viewer.Get("/evidence/runs/1/receipt.json").Status(http.StatusOK)
	if err := json.Unmarshal([]byte(answer.Body), &got); err != nil || got.Run != 1 || got.Records != receipt.Records || got.SHA256 != receipt.SHA256 {
		t.Errorf("the receipt is %+v, %v", got, err)
	}
	if h := answer.Header.Get("Content-Disposition"); !strings.Contains(h, "attachment") || !strings.Contains(h, "run-1-receipt.json") {
		t.Errorf("sent as %q", h)
	}
	for _, path := range []string{"/evidence/runs/2", "/evidence/runs/x", "/evidence/runs/2/receipt.json", "/evidence/runs/1?as_of=2026-11-29"} {
		viewer.Get(path).Status(http.StatusNotFound)
	}
	other, err := s.DB.Store.CreatePortfolio(t.Context(), acts(posture.Admin, "A"), posture.Portfolio{Slug: "other", Name: "Other"})
	if err != nil {
		t.Fatal(err)
	}
	outsider := s.AsPerson(t, posture.Person{Name: "Out", Email: "out@example.org", Role: posture.Editor, Portfolios: []int64{other.ID}})
	for _, path := range []string{"/evidence/runs/1", "/evidence/runs/1/receipt.json", "/artefacts/" + receipt.StoredSHA256} {
		outsider.Get(path).Status(http.StatusNotFound)
	}
	outsider.Get("/evidence/runs").HasNot("main table")
}

func TestAWithdrawnRunSaysSo(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.imported(t, "run.xml", `<testsuites timestamp="2026-11-30T10:00:00Z"><testsuite name="s" timestamp="2026-11-30T10:00:00Z"><testcase name="a"><properties>`+
		`<property name="demarc.statement" value="FS-1"/><property name="demarc.case" value="XS-01"/><property name="demarc.expected" value="permit"/>`+
		`</properties></testcase></testsuite></testsuites>`)
	list, _, err := s.DB.Store.Evidence(t.Context(), s.tester, posture.AsOf{}, posture.RecordFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if _, err := s.DB.Store.Withdraw(t.Context(), s.tester, list[i].Row, "the harness was broken"); err != nil {
			t.Fatal(err)
		}
	}
	viewer := s.As(t, posture.Viewer)
	viewer.Get("/evidence/runs/1").Says("main", "All evidence of this run was withdrawn")
	viewer.Get("/evidence/runs").Says("tbody tr", "withdrawn")
}

func TestImportPagesAskLittleOfTheDatabase(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.imported(t, "run.xml", junit(""))
	editor := s.As(t, posture.Editor)
	statements(t, s.Site, editor, "/evidence/runs", 3)
	statements(t, s.Site, editor, "/evidence/runs/1", 5)
	statements(t, s.Site, editor, "/evidence/import?"+url.Values{"runtime": {"case-assistant"}}.Encode(), 6)
}
