package ui_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"demarc/static"
	"demarc/store/posture"
	"demarc/web/view/ui"
)

var now = time.Date(2026, 11, 30, 19, 20, 0, 0, time.UTC)

func render(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func text(t *testing.T, c templ.Component) string {
	t.Helper()
	return strings.Join(strings.Fields(render(t, c).Text()), " ")
}

// glyphs lists the names of the glyphs that a component draws and fails the
// test on one that the sprite does not hold.
func glyphs(t *testing.T, c templ.Component) []string {
	t.Helper()
	return render(t, c).Find("use").Map(func(_ int, s *goquery.Selection) string {
		_, name, _ := strings.Cut(s.AttrOr("href", ""), "#")
		if !slices.Contains(static.Glyphs(), name) {
			t.Errorf("no glyph %q in the sprite", name)
		}
		return name
	})
}

// TestEveryMarkIsGlyphAndWord holds the look's rule: both always.
func TestEveryMarkIsGlyphAndWord(t *testing.T) {
	t.Parallel()
	check := func(c templ.Component, glyph, words string) {
		t.Helper()
		if got := glyphs(t, c); !slices.Equal(got, []string{glyph}) {
			t.Errorf("%s: glyphs %q, want %q", words, got, glyph)
		}
		if got := text(t, c); got != words {
			t.Errorf("words %q, want %q", got, words)
		}
	}
	for _, l := range posture.Labels() {
		check(ui.Verdict(l), "v-"+l.String(), l.Words())
		check(ui.VerdictBig(l), "v-"+l.String(), l.Words())
	}
	for i, s := range posture.Severities() {
		check(ui.Severity(s), "s-"+string(rune('1'+i)), s.Words())
	}
	check(ui.Outcome(posture.Pass), "o-pass", "pass")
	check(ui.Outcome(posture.OutcomeError), "o-error", "error")
	check(ui.Outcome(posture.Incomplete), "o-not_run", "incomplete")
	check(ui.Outcome(posture.OutcomeUnknown), "o-not_run", "not run")
	check(ui.Case(posture.Permit), "k-permit", "permit")
	check(ui.Case(posture.Deny), "k-deny", "deny")
	check(ui.Finding("fire", posture.NotStated), "f-fire", "FIRE")
	check(ui.Finding("clear", posture.Configured), "f-clear", "CLEAR, configured")
	check(ui.Release("private_preview", ""), "r-pre", "private preview")
	check(ui.Release("ga", "Generally available"), "r-ga", "GA “Generally available”")
	check(ui.Release("whatever a vendor writes", ""), "r-unk", "unknown")
	for _, status := range ui.ReleaseStatuses() {
		glyphs(t, ui.Release(status, ""))
	}
}

func TestACellIsOneLinkWithItsCount(t *testing.T) {
	t.Parallel()
	table := func(c posture.Cell) templ.Component {
		cell := ui.Cell(c, "Memory", "/runtimes/x/cells/ME")
		return templ.Join(templ.Raw("<table><tr>"), cell, templ.Raw("</tr></table>"))
	}
	doc := render(t, table(posture.Cell{Dimension: "ME", Label: posture.LabelStale, Tested: 1, Of: 3}))
	if got := doc.Find("td.c[data-v=stale][data-l=Memory] > a[href='/runtimes/x/cells/ME']").Length(); got != 1 {
		t.Errorf("%d links", got)
	}
	if got := strings.Join(strings.Fields(doc.Text()), " "); got != "stale1 of 3 tested" {
		t.Errorf("cell says %q", got)
	}
	if got := text(t, table(posture.Cell{Outside: true, Label: posture.LabelNotStated})); got != "outside the profile" {
		t.Errorf("a cell outside the profile says %q", got)
	}
}

func TestAnAcceptedRiskShowsWhatLiesUnderneath(t *testing.T) {
	t.Parallel()
	v := posture.Verdict{Label: posture.LabelAcceptedRisk, State: posture.LabelContradicted}
	if got := text(t, ui.VerdictOf(v)); got != "accepted riskunderlying: contradicted" {
		t.Errorf("says %q", got)
	}
}

func TestAMoveReadsFromTo(t *testing.T) {
	t.Parallel()
	if got := text(t, ui.Move(posture.LabelDocumented, posture.LabelStale)); got != "documented → to stale" {
		t.Errorf("says %q", got)
	}
}

func TestDatesStandWithTheirAge(t *testing.T) {
	t.Parallel()
	day := func(s string) time.Time {
		d, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		got  templ.Component
		want string
		due  bool
	}{
		{ui.Date(day("2026-10-12T23:59:00Z"), now), "12 Oct 202649 days", false},
		{ui.Date(day("2026-11-29T23:59:00Z"), now), "29 Nov 20261 day", false},
		{ui.Date(day("2026-11-30T23:59:00Z"), now), "30 Nov 2026today", false},
		{ui.Date(day("2026-12-02T00:00:00Z"), now), "2 Dec 2026in 2 days", false},
		{ui.Date(day("2026-12-01T00:30:00+02:00"), now), "30 Nov 2026today", false},
		{ui.Date(time.Time{}, now), "no date", false},
		{ui.Due(day("2026-10-26T00:00:00Z"), now), "26 Oct 202635 days late", true},
		{ui.Due(day("2026-11-30T00:00:00Z"), now), "30 Nov 2026today", true},
		{ui.Due(day("2026-12-01T00:00:00Z"), now), "1 Dec 2026in 1 day", false},
	} {
		if got := text(t, c.got); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if got := render(t, c.got).Find(".due.now").Length() == 1; got != c.due {
			t.Errorf("%q: due %t", c.want, got)
		}
	}
}

func TestDigestsNameTheirAlgorithm(t *testing.T) {
	t.Parallel()
	sha, blake := "sha256:9f2c41ab"+strings.Repeat("0", 56), "blake3:41D86E02"+strings.Repeat("0", 56)
	for value, want := range map[string]string{
		sha:                 "sha256:9f2c41ab…",
		sha + " " + blake:   "sha256:9f2c41ab… blake3:41D86E02…",
		"sha256:9f2c41ab":   "sha256:9f2c41ab",
		"bundle-2026.11":    "bundle-2026.11",
		"arn:aws:x:y/1.2.3": "arn:aws:x:y/1.2.3",
		"":                  "unknown",
	} {
		if got := text(t, ui.Digest(value)); got != want {
			t.Errorf("%q shows %q, want %q", value, got, want)
		}
	}
}

func TestCounts(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		ui.Count(0): "0", ui.Count(999): "999", ui.Count(1204): "1,204", ui.Count(-1204): "-1,204", ui.Count(1000000): "1,000,000",
		ui.Bounded(9999, 10000): "9,999", ui.Bounded(10000, 10000): "10,000+",
		ui.Plural(1, "field", "fields"): "1 field", ui.Plural(1200, "field", "fields"): "1,200 fields",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAMovedFacetIsMarkedWithItsDay(t *testing.T) {
	t.Parallel()
	before := posture.Identity{posture.Vendor: "V", posture.Product: "P", posture.Variant: "microVM", posture.Config: "sha256:c3aa90f7aa", posture.Version: "1.14.2"}
	after := before
	after[posture.Config] = "sha256:d3aa90f7aa"
	target := posture.Target{ID: 2, Identity: after, RecordedAt: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)}
	doc := render(t, ui.Idents(ui.TargetIdents(target, posture.Target{ID: 1, Identity: before})))
	if got := strings.Join(strings.Fields(doc.Find(".moved").Text()), " "); got != "Config · moved 24 Nov sha256:d3aa90f7…" {
		t.Errorf("moved: %q", got)
	}
	if got := strings.Join(strings.Fields(doc.Find("div").First().Text()), " "); got != "Runs on V · P · microVM" {
		t.Errorf("first: %q", got)
	}
	if got := doc.Find("dd b").Text(); got != "unknownunknownunknown" {
		t.Errorf("image, policy and region are unknown, shown %q", got)
	}
	if got := render(t, ui.Idents(ui.TargetIdents(target, posture.Target{}))).Find(".moved").Length(); got != 0 {
		t.Errorf("a first target shows %d moved facets", got)
	}
}

func TestAFieldSentBackSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	field := ui.Field{Name: "expires_at", Label: "Lapses on", Value: "2027-02-28", Hint: "At most 90 days.", Error: "The last possible day is 30 Dec 2026.", Required: true}
	doc := render(t, ui.DateField(field))
	input := doc.Find(".field.bad input[type=date][required][aria-invalid=true]")
	if got := input.AttrOr("aria-describedby", ""); got != "f-expires_at-h f-expires_at-e" {
		t.Errorf("described by %q", got)
	}
	if got := strings.TrimSpace(doc.Find("#f-expires_at-e").Text()); got != field.Error {
		t.Errorf("error %q", got)
	}
	field.Value = "soon"
	if got := render(t, ui.DateField(field)).Find("input").AttrOr("value", "") + render(t, ui.DateField(field)).Find("input").AttrOr("type", ""); got != "soontext" {
		t.Errorf("a date that cannot be read comes back as %q", got)
	}
	errs := ui.Errors{Fields: []posture.FieldError{{Field: "expires_at", Text: "x"}, {Field: "covers", Text: "y"}}, Labels: map[string]string{"expires_at": "Lapses on"}}
	if got := text(t, ui.ErrorSummary("recorded", errs)); got != "Not recorded: 2 fields need another look. Lapses on, Covers. What you typed is still here." {
		t.Errorf("summary %q", got)
	}
	if got := text(t, ui.ErrorSummary("recorded", ui.Errors{})); got != "" {
		t.Errorf("a form without errors says %q", got)
	}
}

func TestChoicesComeBackChosen(t *testing.T) {
	t.Parallel()
	options := []ui.Option{{Value: "", Text: "any"}, {Value: "a", Text: "A"}, {Value: "b", Text: "B"}}
	field := ui.Field{Name: "x", Label: "X", Options: options, Value: "b"}
	if got := render(t, ui.Select(field)).Find("option[selected]").Text(); got != "B" {
		t.Errorf("selected %q", got)
	}
	if got := render(t, ui.Radios(field)).Find("input[checked]").AttrOr("value", ""); got != "b" {
		t.Errorf("chosen %q", got)
	}
	field.Value, field.Values = "", []string{"a", "b"}
	if got := render(t, ui.Checks(field)).Find("input[checked]").Length(); got != 2 {
		t.Errorf("%d boxes are on, want 2", got)
	}
}

func TestMergeAsksOnlyWhereBothChanged(t *testing.T) {
	t.Parallel()
	doc := render(t, ui.Merge("P. Haas", []ui.MergeRow{
		{Field: "mechanism", Began: "none", Theirs: "reset", Mine: "image", TheirsValue: "reset", MineValue: "image"},
		{Field: "owner", Began: "nobody", Theirs: "Platform", Mine: "nobody", TheirsValue: "Platform", MineValue: ""},
		{Field: "rung", Began: "tested", Theirs: "tested", Mine: "claimed", TheirsValue: "tested", MineValue: "claimed"},
		{Field: "note", Began: "a", Theirs: "b", Mine: "b", TheirsValue: "b", MineValue: "b"},
	}))
	if got := doc.Find("input[type=radio]").Length(); got != 2 {
		t.Errorf("%d choices, want 2", got)
	}
	if got := doc.Find("input[type=radio][checked]").AttrOr("value", ""); got != "image" {
		t.Errorf("chosen at first: %q, want what was typed", got)
	}
	for field, want := range map[string]string{"owner": "Platform", "rung": "claimed", "note": "b"} {
		if got := doc.Find("input[type=hidden][name="+field+"]").AttrOr("value", ""); got != want {
			t.Errorf("%s is settled as %q, want %q", field, got, want)
		}
	}
}

func TestTextIsNeverMarkup(t *testing.T) {
	t.Parallel()
	evil := `<script>alert(1)</script>"'`
	doc := render(t, templ.Join(
		ui.Text(ui.Field{Name: "x", Label: evil, Value: evil, Error: evil, Hint: evil}),
		ui.Chip(evil, evil, "javascript:alert(1)"), ui.Owner(evil), ui.Digest(evil), ui.Release("ga", evil),
		ui.Button(ui.Action{Text: evil, Href: "javascript:alert(1)"}),
	))
	if got := doc.Find("script").Length(); got != 0 {
		t.Errorf("%d scripts", got)
	}
	doc.Find("a").Each(func(_ int, s *goquery.Selection) {
		if strings.HasPrefix(s.AttrOr("href", ""), "javascript:") {
			t.Errorf("a link runs script")
		}
	})
}
