package web_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/chromedp/chromedp"

	"demarc/static"
	"demarc/store/posture"
	"demarc/web/view"
	"demarc/web/view/ui"
)

// within puts components inside a component that takes children.
func within(frame templ.Component, inner ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return frame.Render(templ.WithChildren(ctx, templ.Join(inner...)), w)
	})
}

// everyPiece is a page with each piece of ui on it.
func everyPiece(theme string) templ.Component {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	rows := within(ui.Row(),
		within(ui.RowHead(), ui.ID("run 3")), within(ui.Td("Observed"), ui.Date(now.AddDate(0, 0, -7), now)), ui.Num("Read", 1204))
	selected := within(ui.SelectedRow(),
		within(ui.RowHead(), ui.ID("run 2")), within(ui.Td("Observed"), ui.Due(now, now)), ui.Num("Read", 8))
	bad := func(f ui.Field) ui.Field {
		f.Hint, f.Error = "At most 90 days.", "The last possible day is 30 Dec 2026."
		f.Options = []ui.Option{{Value: "a", Text: "First", Hint: "the first"}, {Value: "b", Text: "Second"}}
		return f
	}
	errs := ui.Errors{Fields: []posture.FieldError{{Field: "text", Text: "x"}, {Field: "checks", Text: "y"}}}
	identity := posture.Identity{posture.Vendor: "V", posture.Product: "P", posture.Variant: "microVM", posture.Config: "sha256:9f2c41ab00"}
	return within(view.Layout(view.Page{Title: "Pieces", Theme: theme, Path: "/", Now: now, Footer: view.Footer{JudgedAt: now}, Flash: "Saved."}),
		ui.Head("Pieces", "Each of them once."),
		ui.ErrorSummary("recorded", errs),
		ui.AsOfBanner(now, time.Time{}, "/"), ui.Drift("The configuration moved.", "Two verdicts are stale.", ui.Link{Text: "See", Href: "/"}),
		ui.Notice("Library 2026.12 adds 2 scenarios.", ui.Link{}), ui.Settling(3),
		ui.Idents(ui.TargetIdents(posture.Target{ID: 2, Identity: identity, RecordedAt: now}, posture.Target{ID: 1})),
		ui.Tabs("Runtime", []ui.Tab{{Text: "Boundaries", Href: "/a", Current: true, Count: 34, HasCount: true}, {Text: "Path", Href: "/b"}}),
		within(ui.Section("h-seg", "Views", "one of three"), ui.Seg("Statements", []ui.Tab{{Text: "All", Href: "/c", Current: true}, {Text: "Stale", Href: "/d"}}), ui.Chip("Runtime", "case-assistant", "/")),
		within(ui.Table(ui.TableOf{Label: "Runs", Kind: "stack", Cols: []ui.Col{{Text: "Run", Href: "/e"}, {Text: "Observed", Sort: "descending", Href: "/f"}, {Text: "Read", Num: true}}}), rows, selected),
		ui.Pager(ui.Pages{Words: "2 of 10,000+", First: "/g", Next: "/h"}),
		ui.TwoColumns(ui.Verdict(posture.LabelTested), ui.Verdict(posture.LabelContradicted)),
		ui.KV([]ui.Pair{{Term: "Owner", Value: ui.Owner("")}, {Term: "Digest", Value: ui.Digest("sha256:9f2c41ab00")}}),
		ui.Legend(), ui.VerdictBig(posture.LabelSuspect), ui.Absent("not stated"), ui.Move(posture.LabelDocumented, posture.LabelStale),
		within(ui.Hang("fields", "Fields", "sent back"),
			ui.Text(bad(ui.Field{Name: "text", Label: "Text"})), ui.DateField(bad(ui.Field{Name: "date", Label: "Date"})),
			ui.Area(bad(ui.Field{Name: "area", Label: "Area"})), ui.Select(bad(ui.Field{Name: "select", Label: "Select"})),
			ui.Check(bad(ui.Field{Name: "check", Label: "Check"})), ui.Checks(bad(ui.Field{Name: "checks", Label: "Checks"})),
			ui.Radios(bad(ui.Field{Name: "radios", Label: "Radios"})), ui.File(bad(ui.Field{Name: "file", Label: "File"})), ui.Submit("Store")),
		ui.NothingYet(ui.EmptyOf{Title: "No runtime yet", Text: "Start with one.", Actions: []ui.Action{{Text: "Describe", Href: "/i"}}}),
		ui.NothingMatches(ui.EmptyOf{Title: "No result matches"}), ui.NotTested(ui.EmptyOf{Title: "Nothing has been tested"}),
		ui.Progress("Importing", 61, 100, "61 of about 100"),
		ui.DialogButton("withdraw", "Withdraw evidence", true),
		within(ui.Dialog("withdraw", "Withdraw E-0391?"), ui.KeepIt("withdraw", "Keep it")),
	)
}

func TestEveryPieceIsReadable(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler())
	mux.Handle("/light", templ.Handler(everyPiece("light")))
	mux.Handle("/dark", templ.Handler(everyPiece("dark")))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	for theme, width := range map[string]int{"light": 1440, "dark": 390} {
		v := openAt(t, server.URL, "/"+theme, nil, width)
		v.check()
		v.fits(width)
	}
}

func TestADialogOpensWithoutScript(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler())
	mux.Handle("/", templ.Handler(everyPiece("light")))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	v := openAt(t, server.URL, "/", nil, 1440)
	v.do(chromedp.Click(chromedp.CSS("[popovertarget=withdraw]")), chromedp.WaitVisible(chromedp.CSS("#withdraw")))
	v.check()
	left := run(v, chromedp.Evaluate[float64](`document.querySelector("#withdraw").getBoundingClientRect().left`))
	if left < 200 {
		t.Errorf("the dialog stands at %g px from the left, not in the middle", left)
	}
	v.do(chromedp.Click(chromedp.CSS("#withdraw [popovertargetaction=hide]")), chromedp.WaitNotVisible(chromedp.CSS("#withdraw")))
}
