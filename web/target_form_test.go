package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// tested records a pair on the unit's FS-1.
func (s *formScene) tested(t *testing.T) {
	t.Helper()
	address := on("/evidence/new", s.unit, "FS-1", "kind", "test")
	s.record(t, s.tester, address, s.testOf("run 1", "XS-01", "permit", "pass"))
	s.record(t, s.tester, address, s.testOf("run 1", "XS-01", "deny", "pass"))
}

func TestRecordingATargetShowsWhatItMakesStale(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tested(t)
	form := s.tester.Get("/runtimes/case-assistant/target").Status(http.StatusOK)
	if got := form.Attr("input[name=image]", "value"); got != "sha256:d1" {
		t.Errorf("the image is filled in as %q", got)
	}
	form.Says("section:has(#so-far)", "first deployment")
	same := form.Submit("#fill", nil).Status(http.StatusUnprocessableEntity)
	same.Says("[role=alert]", "It says what the target in force says")
	form.Submit("#fill", url.Values{"region": {"any"}}).Status(http.StatusUnprocessableEntity).Says("#f-region-e", "Name the region it runs in")

	shown := form.Submit("#fill", url.Values{"image": {"sha256:d2"}, "environment": {"production"}, "reason": {"nightly build"}}).Status(http.StatusOK)
	row := "section:has(#stale) tr:has(.id:contains('FS-1'))"
	shown.Says(row+" td[data-l=Before]", "tested").Says(row+" td[data-l=After]", "stale").Says(row+" td[data-l='Because of']", "image")
	if got := shown.Text(row + " td[data-l='Because of']"); got != "image" {
		t.Errorf("because of %q: the environment decides nothing", got)
	}
	targets, err := s.DB.Store.Targets(t.Context(), storetest.As(posture.Viewer), s.unit, posture.AsOf{})
	if err != nil || len(targets) != 1 {
		t.Fatalf("the preview saved %v, %v", targets, err)
	}
	saved := confirm(shown).Status(http.StatusSeeOther)
	if got := saved.Header.Get("Location"); got != "/runtimes/case-assistant" {
		t.Errorf("leads to %q", got)
	}
	s.tester.Get("/runtimes/case-assistant/target").Says(".toast", "FS-1 on case-assistant moved from tested to stale").
		Says("section:has(#so-far) td[data-l=Moved]", "image and environment moved")
}

func TestATargetThatMovesNothing(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	shown := s.tester.Get("/dependencies/document-search/target").Submit("#fill", url.Values{"environment": {"production"}}).Status(http.StatusOK)
	shown.Says("section:has(#stale)", "Nothing: no verdict of document-search rests on the facets that move").Says("section:has(#moved) td[data-l='In force']", "unknown")
	confirm(shown).Status(http.StatusSeeOther)
}

func TestChangingManyRequirements(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tested(t)
	page := s.tester.Get("/runtimes/case-assistant/requirements").Status(http.StatusOK)
	page.Says("#FS-1 td[data-l='Asked for']", "tested").Says("#FS-1 td[data-l=Boundary]", "intended").Says("#TL-1 td[data-l=Boundary]", "not asked")
	page.HasNot("#AD-1").Says("#FS-2 td[data-l=Owner]", "J. Lindqvist")

	asked := s.tester.Get("/runtimes/case-assistant/requirements?choose=asked").Has("#pick-FS-1[checked]").HasNot("#pick-TL-1[checked]")
	asked.Submit("#fill", url.Values{"rung": {"documented"}}).Status(http.StatusOK).Says("#confirm button", "Save 27 requirements")

	none := page.Submit("#fill", nil).Status(http.StatusUnprocessableEntity)
	none.Says("[role=alert]", "2 fields need").Says("#f-statement", "Choose at least one statement").Says("#f-rung-e", "Choose what changes")

	shown := page.Submit("#fill", url.Values{"statement": {"FS-1", "FS-2", "TL-1"}, "set_owner": {"yes"}, "owner": {"Platform Runtime"}, "rung": {"configured"}}).Status(http.StatusOK)
	shown.Says("section:has(#terms)", "FS-1, FS-2 and TL-1").Says("section:has(#effect)", "No label moves")
	confirm(shown).Follow().Status(http.StatusOK).Says(".toast", "3 requirements are saved").
		Says("#FS-2 td[data-l=Owner]", "Platform Runtime").Says("#FS-2 td[data-l='Asked for']", "configured").Says("#TL-1 td[data-l=Boundary]", "intended")
	s.DB.Clock.Add(time.Minute)

	stale := page.Submit("#fill", url.Values{"statement": {"FS-1"}, "rung": {"tested"}}).Status(http.StatusConflict)
	stale.Says("[role=alert]", "was saved by somebody else").Has("#pick-FS-1[checked]")
	confirm(stale.Submit("#fill", nil).Status(http.StatusOK)).Status(http.StatusSeeOther)

	long := page.Submit("#fill", url.Values{"statement": {"PE-1", "PE-2"}, "set_owner": {"yes"}, "owner": {strings.Repeat("x", 121)}})
	long.Status(http.StatusUnprocessableEntity).Says("#f-owner-e", "At most 120 fit")
}

func TestARequirementOfOneStatement(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	s.tested(t)
	path := "/runtimes/case-assistant/requirements/FS-1"
	form := s.tester.Get(path).Status(http.StatusOK).Says("main", "asked for: tested")
	form.Submit("#fill", url.Values{"wanted": {"not_intended"}, "reason": {""}}).Status(http.StatusUnprocessableEntity).Says("#f-reason-e", "Say why this boundary is not intended")
	form.Submit("#fill", url.Values{"mechanism": {"sandboxed"}}).Status(http.StatusUnprocessableEntity).Says("#f-mechanism-e", "Kept from whom, by what?")
	shown := form.Submit("#fill", url.Values{"paths": {"XS-01\r\n\r\nXS-02"}, "mechanism": {"a disk per session"}}).Status(http.StatusOK)
	shown.Says("section:has(#effect) td[data-l=From]", "tested").Says("section:has(#terms)", "XS-01 XS-02")
	other := s.closer.Get(path).Status(http.StatusOK)
	confirm(shown).Follow().Says("#FS-1 td[data-l=Paths]", "XS-01 XS-02").Says("#FS-1 td[data-l=Mechanism]", "a disk per session")
	s.DB.Clock.Add(time.Minute)

	merge := other.Submit("#fill", url.Values{"owner": {"R. Banerjee"}, "mechanism": {"image restored per session"}}).Status(http.StatusConflict)
	merge.Says("[role=alert]", "T. Arroyo saved this record").Has("input[type=radio][name=mechanism][value='a disk per session']").
		Has("input[type=radio][name=mechanism][value='image restored per session'][checked]").Has("input[type=hidden][name=owner][value='R. Banerjee']")
	again := merge.Submit("#merge", nil).Status(http.StatusOK)
	confirm(again).Follow().Says("#FS-1 td[data-l=Owner]", "R. Banerjee").Says("#FS-1 td[data-l=Mechanism]", "image restored per session").Says("#FS-1 td[data-l=Paths]", "XS-01 XS-02")
}

func TestAskingForWhatNobodyAsked(t *testing.T) {
	t.Parallel()
	s := newFormScene(t)
	path := "/dependencies/document-search/requirements/MS-1"
	form := s.tester.Get(path).Status(http.StatusOK).Says("main", "nobody asks for it here")
	if got := form.Attr("#fill input[name=version]", "value"); got != "0" {
		t.Errorf("version %q", got)
	}
	confirm(form.Submit("#fill", url.Values{"owner": {"R. Banerjee"}}).Status(http.StatusOK)).Follow().Says("#MS-1 td[data-l=Owner]", "R. Banerjee")
	merge := form.Submit("#fill", url.Values{"owner": {"S. Whitlock"}}).Status(http.StatusConflict)
	merge.Has("input[name=owner][value='R. Banerjee']").Has("input[name=version][value='1']")
}
