package web_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
)

func TestTheTwoKindsOfDiscrepancyAreNeverMixed(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.failed(t, "SD-05", "archive of 212 records, 1 with BIRCH-MARK-01", s.component.Target.Identity)
	viewer := s.As(t, posture.Viewer)
	page := viewer.Get("/discrepancies").Status(http.StatusOK)
	if got := page.Texts("main .tabs a"); !slices.Equal(got, []string{"Boundary failed 1", "Evidence missing or stale"}) {
		t.Errorf("tabs %q", got)
	}
	row := "tr:has(a[href='/discrepancies/1'])"
	page.Says(row+" th a", "Archive of 212 records, 1 with BIRCH-MARK-01").Says(row+" th small", "D-1 · AD-1 · Document search · case SD-05")
	page.Has(row+" .v[data-v=contradicted]").Says(row+" .sev", "very high").Says(row, "open").Says(row+" .due", "7 Dec 2026").Says(row, "R. Banerjee").Says(row, "Ines Marchetti")
	other := viewer.Get("/discrepancies?kind=evidence_missing").Status(http.StatusOK)
	other.Says("[data-kind=nothing-yet] h2", "Not collected yet in this version").HasNot("main table")
}

func TestDiscrepanciesAreFiltered(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.failed(t, "SD-05", "one", s.component.Target.Identity)
	s.failed(t, "SD-01", "two", s.component.Target.Identity)
	closure := posture.ClosureRecord{Text: "the fixture was missing"}
	closure.Closes, closure.Kind = first.ID, posture.TestInvalid
	if _, _, err := s.DB.Store.CloseEvidence(t.Context(), s.closer, closure); err != nil {
		t.Fatal(err)
	}
	viewer := s.AsPerson(t, posture.Person{Name: "R. Banerjee", Email: "rb@example.org", Role: posture.Viewer, AllPortfolios: true})
	for query, want := range map[string][]string{
		"":                      {"Two"},
		"?state=open":           {"Two"},
		"?state=closed":         {"One"},
		"?state=all":            {"Two", "One"},
		"?owner=R.+Banerjee":    {"Two"},
		"?owner=ines+marchetti": {"Two"},
		"?owner=nobody":         nil,
		fmt.Sprintf("?subject=%d&state=all", s.component.Subject): {"Two", "One"},
		fmt.Sprintf("?subject=%d", s.runtime.Subject):             nil,
	} {
		page := viewer.Get("/discrepancies" + query).Status(http.StatusOK)
		if got := page.Texts("tbody th a"); !slices.Equal(got, want) {
			t.Errorf("%q lists %q, want %q", query, got, want)
		}
		if want == nil {
			page.Has("[data-kind=nothing-matches] a[href='/discrepancies']")
		}
	}
	page := viewer.Get("/discrepancies?state=all").Status(http.StatusOK)
	page.Says(".chip", "Mine").Says("tr:has(a[href='/discrepancies/1'])", "closed")
	mine := viewer.Get(page.Attr(".chip", "href")).Status(http.StatusOK)
	mine.Says(".chip.on", "Owner or risk owner R. Banerjee")
	if got := mine.Texts("tbody th a"); len(got) != 2 {
		t.Errorf("mine are %q", got)
	}
	for _, bad := range []string{"state=lost", "subject=x", "kind=both"} {
		viewer.Get("/discrepancies?" + bad).Status(http.StatusUnprocessableEntity).Has("[role=alert]")
	}
}

func TestNothingOpenIsNoGoodNews(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.As(t, posture.Editor).Get("/discrepancies").Status(http.StatusOK).
		Says("[data-kind=nothing-yet] p", "says nothing about what was never tested").Has("[data-kind=nothing-yet] a[href='/evidence/import']")
	viewer := s.As(t, posture.Viewer)
	viewer.Get("/discrepancies").Status(http.StatusOK).HasNot("[data-kind=nothing-yet] a")
	viewer.Get("/discrepancies?state=closed").Status(http.StatusOK).Says("[data-kind=nothing-yet]", "Nothing closes because it stopped appearing")
	viewer.Get("/discrepancies?state=all").Status(http.StatusOK).Says("[data-kind=nothing-yet] h2", "There is no discrepancy")
}

func TestDiscrepanciesPage(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for i := range 53 {
		s.failed(t, fmt.Sprintf("case-%02d", i), "seen", s.component.Target.Identity)
	}
	viewer := s.As(t, posture.Viewer)
	first := viewer.Get("/discrepancies?owner=R.+Banerjee").Status(http.StatusOK)
	next := viewer.Get(first.Attr("a[rel=next]", "href")).Status(http.StatusOK)
	if a, b := len(first.Texts("tbody tr")), len(next.Texts("tbody tr")); a != 50 || b != 3 {
		t.Errorf("pages of %d and %d rows", a, b)
	}
	next.HasNot("a[rel=next]").Has(".pager a[href='/discrepancies?owner=R.+Banerjee']")
}

func TestADiscrepancyNamesItsSightings(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.failed(t, "SD-05", "archive of 212 records", s.component.Target.Identity)
	next := s.component.Target.Identity
	next[posture.Version], next[posture.Config] = "s5", "sc2"
	again := s.failed(t, "SD-05", "archive of 12 records", next)
	page := s.As(t, posture.Viewer).Get("/discrepancies/1").Status(http.StatusOK)
	page.Says("h1", "Archive of").Says(".sub", "A session must not obtain another tenant’s record")
	page.Says("section[aria-labelledby=h-expected]", "deny: refused by the boundary")
	rows := page.Texts("section[aria-labelledby=h-sightings] tbody tr")
	if len(rows) != 2 || !strings.HasPrefix(rows[0], again.ID) || !strings.Contains(rows[0], "version s5") || !strings.HasPrefix(rows[1], first.ID) {
		t.Errorf("sightings %q", rows)
	}
	if !strings.Contains(rows[1], "differs from the sighting above in version, config") {
		t.Errorf("second sighting %q", rows[1])
	}
	page.Has("a[href='/evidence/"+first.ID+"']").Says("section[aria-labelledby=h-sightings] header", "2 records on 2 identities")
	aside := "aside.panel"
	page.Has(aside+" a[href='/dependencies/document-search/cells/AD-1']").Has(aside+" a[href='/dependencies/document-search']").
		Says(aside, "Owner of the receiver").Says(aside, "R. Banerjee").Says(aside, "Ines Marchetti").Says(aside, "SD-05").
		Says(aside, "bulk export").Says(aside, "Acme → Birch").Says(aside, "a passing deny for SD-05")
	page.HasNot(".ph .acts a")
}

func TestADiscrepancyAtTheUnit(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.record(t, posture.Record{
		Subject: posture.SubjectRef{ID: s.runtime.Subject}, Words: "the search key is readable", SourceRole: "customer",
		Evidence: posture.Evidence{
			Kind: posture.KindConfiguration, Statement: "CD-1", Polarity: posture.Contradicts, Identity: s.runtime.Target.Identity,
			ObservedAt: s.DB.Clock.Now(),
		},
	})
	page := s.As(t, posture.Viewer).Get("/discrepancies/1").Status(http.StatusOK)
	page.Has("aside a[href='/runtimes/case-assistant/cells/CD#CD-1']").Says("aside", "Owner of the runtime").Says("aside", "none named")
}

func TestDecisionsAreOfferedByRole(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	failed := s.failed(t, "SD-05", "seen", s.component.Target.Identity)
	closing, accepting := "/evidence/"+failed.ID+"/close", fmt.Sprintf("/accept?statement=AD-1&subject=%d", s.component.Subject)
	for _, role := range posture.Roles() {
		got := s.As(t, role).Get("/discrepancies/1").Status(http.StatusOK).Texts(".ph .acts a")
		a := posture.Access{Role: role}
		var want []string
		if a.May(posture.CloseNegatives) {
			want = append(want, "Close "+failed.ID)
		}
		if a.May(posture.AcceptRisk) {
			want = append(want, "Accept the risk")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is offered %q, want %q", role, got, want)
		}
	}
	risk := s.AsPerson(t, posture.Person{Name: "I", Email: "i@example.org", Role: posture.RiskOwner, AllPortfolios: true})
	risk.Get("/discrepancies/1").Has(".acts a[href='" + closing + "']").Has(".acts a[href='" + accepting + "']")
	risk.Get("/discrepancies/2").Status(http.StatusNotFound)
	risk.Get("/discrepancies/D-1").Status(http.StatusNotFound)
}

func TestADiscrepancyAsOf(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first := s.failed(t, "SD-05", "seen", s.component.Target.Identity)
	s.DB.Clock.Add(48 * time.Hour)
	closure := posture.ClosureRecord{Text: "the fixture was missing"}
	closure.Closes, closure.Kind = first.ID, posture.TestInvalid
	if _, _, err := s.DB.Store.CloseEvidence(t.Context(), s.closer, closure); err != nil {
		t.Fatal(err)
	}
	risk := s.As(t, posture.RiskOwner)
	risk.Get("/discrepancies/1").Status(http.StatusOK).Says("aside", "closed").HasNot(".ph .acts a")
	past := risk.Get("/discrepancies/1?as_of=2026-12-01").Status(http.StatusOK)
	past.Has(".ban.asof").Says("aside .due", "in 6 days").HasNot(".ph .acts a").Has("aside a[href='/dependencies/document-search/cells/AD-1?as_of=2026-12-01']")
	list := risk.Get("/discrepancies?as_of=2026-12-01").Status(http.StatusOK)
	list.Has("tbody a[href='/discrepancies/1?as_of=2026-12-01']").HasNot("main .tabs .n")
	risk.Get("/discrepancies").Status(http.StatusOK).HasNot("main table")
	risk.Get("/discrepancies/1?as_of=2026-11-29").Status(http.StatusNotFound)
}

func TestDiscrepancyPagesAskLittleOfTheDatabase(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for i := range 12 {
		s.failed(t, fmt.Sprintf("case-%d", i), "seen", s.component.Target.Identity)
	}
	viewer := s.As(t, posture.Viewer)
	statements(t, s.Site, viewer, "/discrepancies", 7)
	statements(t, s.Site, viewer, "/discrepancies/1", 6)
}
