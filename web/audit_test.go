package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

func TestOnlyAuditorsAndAdministratorsReadTheLog(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	for _, role := range posture.Roles() {
		want := http.StatusForbidden
		if role == posture.Auditor || role == posture.Admin {
			want = http.StatusOK
		}
		site.As(t, role).Get("/admin/audit").Status(want)
	}
}

func TestAuditFiltersAndPages(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	auditor := site.As(t, posture.Auditor)
	for i := range 60 {
		p := posture.Person{Name: fmt.Sprintf("P%02d", i), Email: fmt.Sprintf("p%02d@example.org", i), Role: posture.Viewer, AllPortfolios: true}
		if _, _, err := site.DB.Store.Invite(t.Context(), storetest.As(posture.Admin), p); err != nil {
			t.Fatal(err)
		}
	}
	first := auditor.Get("/admin/audit?table=person_version&op=insert").Status(http.StatusOK)
	if got := len(first.Texts("tbody tr")); got != 50 {
		t.Fatalf("%d rows on the first page, want 50", got)
	}
	if got := first.Text("tbody tr:first-child"); !strings.Contains(got, "unsealed") || !strings.Contains(got, "person_version") {
		t.Errorf("first row %q", got)
	}
	next := auditor.Get(first.Attr("a[rel=next]", "href")).Status(http.StatusOK)
	if got := len(next.Texts("tbody tr")); got != 11 {
		t.Errorf("%d rows on the second page, want 11", got)
	}
	next.HasNot("a[rel=next]")
	ids := slices.Concat(first.Texts("td details summary .vh"), next.Texts("td details summary .vh"))
	slices.Sort(ids)
	if got := len(slices.Compact(ids)); got != 61 {
		t.Errorf("the two pages show %d different rows, want 61", got)
	}
	if got := sealed(t, site, auditor); !isNumber(got) {
		t.Errorf("the newest row shows seal %q", got)
	}
	auditor.Get("/admin/audit?actor=nobody").Status(http.StatusOK).Has("[data-kind=nothing-matches]")
	bad := auditor.Get("/admin/audit?from=yesterday&op=truncate").Status(http.StatusUnprocessableEntity)
	bad.Says("#f-from-e", "such as 2026-10-31").Says("#f-op-e", "insert")
	today := storetest.Start.Format("2006-01-02")
	auditor.Get("/admin/audit?table=person_version&from=" + today + "&to=" + today).Status(http.StatusOK)
}

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// sealed seals the log and gives the seal that its newest row shows. Rows wait
// for older transactions of the whole cluster, which other tests hold open.
func sealed(t *testing.T, site *webtest.Site, auditor *webtest.Client) string {
	t.Helper()
	seal := ""
	for range 500 {
		if _, err := site.DB.Store.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		seal = auditor.Get("/admin/audit?table=person_version").Text("tbody td[data-l=Seal]")
		if seal != "unsealed" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	return seal
}

func TestAuditShowsWhoAndTheRequest(t *testing.T) {
	t.Parallel()
	site := webtest.New(t)
	admin, viewer := site.As(t, posture.Admin), site.As(t, posture.Viewer)
	saved := admin.Get(personPath(viewer)).Submit("form[action='"+personPath(viewer)+"']", nil).Status(http.StatusSeeOther)
	request := saved.Header.Get("X-Request-Id")
	page := admin.Get("/admin/audit?request=" + request).Status(http.StatusOK)
	page.Says("tbody td[data-l=Who]", "Test admin").Says("tbody td[data-l=Request]", request)
	if lines := site.Log.Lines(request); len(lines) != 1 || !strings.Contains(lines[0], fmt.Sprintf(`"actor":"person:%d"`, admin.Person.ID)) {
		t.Errorf("the request is logged as %q, want one line that names the actor", lines)
	}
}
