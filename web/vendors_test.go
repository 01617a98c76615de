package web_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
	"demarc/web/webtest"
)

// shelf is a small catalogue: one system with claims of every sort, and others
// for the list.
func shelf() []posture.CatalogueSystem {
	row := func(id, vendor, product, variant, kind string) posture.CatalogueSystem {
		return posture.CatalogueSystem{CatalogueRow: posture.CatalogueRow{
			ID: id, VendorID: strings.ToLower(vendor), Vendor: vendor, Product: product, Variant: variant, Name: product, Kind: kind, Category: "managed_sandbox",
		}}
	}
	box := row("acme-box", "Acme", "Acme Box", "microvm", "runtime")
	box.Aliases = []string{"The Crate"}
	claim := func(slug, topic, dimension, words string) posture.CatalogueClaim {
		return posture.CatalogueClaim{
			ID: "acme-box." + slug, System: "acme-box", Topic: topic, Dimension: dimension, Facet: "FS", Scope: "per_session", Stated: true,
			Words: words, URL: "https://docs.acme.example/boxes", Title: "Boxes", Publisher: "Acme",
			SeenOn: time.Date(2026, 9, 26, 0, 0, 0, 0, time.UTC), SeenBasis: "copy_date", SourceKind: "vendor", ReadAs: "full_page",
			Confidence: "high", EvidenceKind: "documentation",
		}
	}
	files := claim("files", "isolation", "filesystem", "Each box has its own files.")
	files.Configuration = "microVM compute type"
	files.BearsOn = []posture.Bearing{{Statement: "FS-1", Polarity: posture.Supports}}
	files.Contradicts = []string{"acme-box.mounts"}
	mounts := claim("mounts", "isolation", "filesystem", "Boxes of one project share a mount.")
	mounts.BearsOn = []posture.Bearing{{Statement: "FS-1", Polarity: posture.Contradicts}}
	mounts.Contradicts = []string{"acme-box.files"}
	mounts.PageDate, mounts.SeenBasis, mounts.SeenOn = "2025-12", "page_date", time.Date(2025, 12, 1, 0, 0, 0, 0, time.UTC)
	silent := claim("gap-memory", "isolation", "memory", "Whether memory is erased between sessions.")
	silent.Stated, silent.ReadAs, silent.Confidence, silent.EvidenceKind, silent.Question = false, "excerpt", "medium", "none", 3
	silent.SeenBasis = "collected_on"
	status := claim("status", "release_status", "none", "The boxes are in preview.")
	status.Facet, status.EvidenceKind, status.Status, status.StatusLabel, status.StatusFeature = "none", "none", "public_preview", "Beta-ish", "snapshots"
	box.Claims = []posture.CatalogueClaim{files, mounts, silent, status}
	return []posture.CatalogueSystem{
		box, row("acme-guide", "Acme", "Acme Guide", "default", "guidance"), row("birch-vm", "Birch", "Birch VM", "unspecified", "primitive"),
	}
}

// withShelf gives a site whose catalogue is shelf's.
func withShelf(t *testing.T) *webtest.Site {
	t.Helper()
	site := webtest.New(t)
	if _, err := site.DB.Store.LoadCatalogue(t.Context(), storetest.As(posture.Admin), shelf()); err != nil {
		t.Fatal(err)
	}
	return site
}

func TestVendorsAreListedByVendorAndFiltered(t *testing.T) {
	t.Parallel()
	viewer := withShelf(t).As(t, posture.Viewer)
	page := viewer.Get("/vendors").Status(http.StatusOK)
	if got := page.Texts("tr.grp"); !slices.Equal(got, []string{"Acme", "Birch"}) {
		t.Errorf("vendors %q", got)
	}
	page.Says(".sub", "3 systems of 2 vendors. 4 claims read on their pages = 3 stated + 1 not stated.")
	row := "tr:has(a[href='/vendors/acme-box'])"
	page.Says(row+" td[data-l=Label]", "public preview “Beta-ish”")
	page.Says(row+" td[data-l=Stated]", "3").Says(row+" td[data-l='Not stated']", "1")
	page.Says("tr:has(a[href='/vendors/birch-vm']) td[data-l=Label] .absent", "not stated")
	page.Says("tr:has(a[href='/vendors/birch-vm']) td[data-l=Runtimes]", "none")

	for find, want := range map[string]string{"find=crate": "acme-box", "kind=primitive": "birch-vm", "find=acme&kind=guidance": "acme-guide"} {
		found := viewer.Get("/vendors?" + find).Status(http.StatusOK)
		if got := found.Texts("tbody th a"); len(got) != 1 {
			t.Errorf("%s finds %q", find, got)
		}
		found.Has("tbody th a[href='/vendors/" + want + "']")
	}
	viewer.Get("/vendors?find=nobody").Status(http.StatusOK).Has("[data-kind=nothing-matches] a[href='/vendors']")
	viewer.Get("/vendors?kind=castle").Status(http.StatusUnprocessableEntity).Has(".field.bad select[name=kind]")
}

func TestVendorsWithoutACatalogue(t *testing.T) {
	t.Parallel()
	viewer := withShelf(t).As(t, posture.Viewer)
	day := storetest.Start.AddDate(0, 0, -3).Format(time.DateOnly)
	viewer.Get("/vendors?as_of=" + day).Status(http.StatusOK).Has("[data-kind=nothing-yet]").Has(".ban.asof")
	viewer.Get("/vendors/acme-box?as_of=" + day).Status(http.StatusNotFound)
}

func TestAVendorsWordStaysTheVendorsWord(t *testing.T) {
	t.Parallel()
	site := withShelf(t)
	page := site.As(t, posture.Viewer).Get("/vendors/acme-box").Status(http.StatusOK)
	page.Says("h1", "Acme Box").Says(".sub", "variant microvm").Says(".sub", "also called The Crate")
	page.Says("main > p", "4 claims = 3 stated + 1 not stated, seen from 1 Dec 2025 (364 days) to 26 Sep 2026 (65 days); 1 of them carry no date")

	files := "#claim-files"
	page.Says(files+" th", "Each box has its own files.").Says(files+" th", "Holds with: microVM compute type").Says(files+" th", "Another claim says otherwise")
	page.Says(files+" td[data-l='Bears on']", "FS-1 supports").Says(files+" td[data-l='Bears on']", "would be recorded as a documentation record")
	page.Says(files+" td[data-l=Source]", "docs.acme.example").Says(files+" td[data-l=Source]", "the vendor’s own word")
	if rel := page.Attr(files+" td[data-l=Source] a", "rel"); !strings.Contains(rel, "noopener") {
		t.Errorf("the source's link has rel %q", rel)
	}
	page.Says(files+" td[data-l=Seen] time", "26 Sep 2026").Says(files+" td[data-l=Seen] .age", "65 days").Says(files+" td[data-l=Seen]", "day of the copy read; the page carries no date")
	page.Says(files+" td[data-l=Seen]", "page read in full, confidence high")
	page.Says("#claim-mounts td[data-l=Seen]", "page dated 2025-12")

	page.Says("#claim-gap-memory th .absent", "not stated").Says("#claim-gap-memory th", "Question 3: What is the isolation unit")
	page.Says("#claim-gap-memory td[data-l=Seen]", "excerpt: not stated means not in the part read")
	page.Says("#claim-gap-memory td[data-l=Seen]", "day the catalogue was collected")
	page.Says("#claim-status th", "public preview “Beta-ish”").Says("#claim-status th", "about snapshots")
}

func TestContradictionsStandSideBySide(t *testing.T) {
	t.Parallel()
	page := withShelf(t).As(t, posture.Viewer).Get("/vendors/acme-box").Status(http.StatusOK)
	section := "section[aria-labelledby=h-contradictions] tbody tr"
	if got := page.Texts(section); len(got) != 1 || !strings.Contains(got[0], "own files.") || !strings.Contains(got[0], "share a mount.") {
		t.Errorf("pairs %q", got)
	}
	columns := page.Texts("section[aria-labelledby=h-bears] .two > section")
	if len(columns) != 2 || !strings.Contains(columns[0], "FS-1 a session must not") || !strings.Contains(columns[0], "1 supports · 1 contradicts") {
		t.Errorf("columns %q", columns)
	}
	if got := columns[1]; !strings.Contains(got, "no claim bears on any of the 15 statements") {
		t.Errorf("receivers %q", got)
	}
}

func TestARuntimeIsOfferedToThoseWhoMayDescribeOne(t *testing.T) {
	t.Parallel()
	site := withShelf(t)
	offer := ".ph a[href='/runtimes/new?system=acme-box']"
	for _, role := range posture.Roles() {
		page := site.As(t, role).Get("/vendors/acme-box").Status(http.StatusOK)
		if role == posture.Editor || role == posture.Admin {
			page.Has(offer)
		} else {
			page.HasNot(offer)
		}
	}
	site.DB.Clock.Add(48 * time.Hour)
	editor := site.AsPerson(t, posture.Person{Name: "E", Email: "e2@example.org", Role: posture.Editor, AllPortfolios: true})
	editor.Get("/vendors/acme-guide").Status(http.StatusOK).HasNot(".ph a")
	editor.Get("/vendors/nothing").Status(http.StatusNotFound)
	editor.Get("/vendors/acme-box?as_of=2026-11-30").Status(http.StatusOK).HasNot(offer).Has(".ban.asof")
}

func TestVendorsShowRuntimesThatRunOnThem(t *testing.T) {
	t.Parallel()
	site := withShelf(t)
	runtime := posture.Runtime{Slug: "case-assistant", Name: "Case assistant", Owner: "Agent Apps", Profile: "first_review"}
	runtime.Target.Identity = posture.Identity{posture.Vendor: "Acme", posture.Product: "Acme Box", posture.Variant: "microvm"}
	if _, err := site.DB.Store.CreateRuntime(t.Context(), storetest.As(posture.Editor), runtime); err != nil {
		t.Fatal(err)
	}
	viewer := site.As(t, posture.Viewer)
	viewer.Get("/vendors/acme-box").Status(http.StatusOK).Says("section[aria-labelledby=h-runtimes] a[href='/runtimes/case-assistant']", "Case assistant")
	viewer.Get("/vendors").Status(http.StatusOK).Says("tr:has(a[href='/vendors/acme-box']) td[data-l=Runtimes]", "1")
}

// statements pins how many statements a page may send, the reader's own desk
// included.
func statements(t *testing.T, site *webtest.Site, c *webtest.Client, path string, most int) {
	t.Helper()
	c.Get(path).Status(http.StatusOK)
	site.DB.Counter.Reset()
	c.Get(path).Status(http.StatusOK)
	sent := site.DB.Counter.Statements()
	if len(sent) > most {
		t.Errorf("%s sends %d statements, at most %d:\n%s", path, len(sent), most, strings.Join(sent, "\n--\n"))
	}
}

func TestVendorPagesAskLittleOfTheDatabase(t *testing.T) {
	t.Parallel()
	site := withShelf(t)
	viewer := site.As(t, posture.Viewer)
	statements(t, site, viewer, "/vendors?"+url.Values{"find": {"acme"}}.Encode(), 3)
	statements(t, site, viewer, "/vendors/acme-box", 5)
}
