package demo_test

import (
	"os"
	"testing"
	"time"

	"demarc/cmd/demarc/demo"
	"demarc/importers/catalogue"
	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// The worked scenario of model.md §2.11, step by step, as a reader sees it who
// moves the date: FS-1 on the unit and AD-1 at the receiver.
func TestTheDateTellsTheStory(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	load(t, db)
	a := storetest.As(posture.Viewer)
	unit, err := db.Store.Runtime(t.Context(), a, "case-assistant", posture.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	receiver, err := db.Store.Component(t.Context(), a, "document-search", posture.AsOf{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		daysAgo     int
		what        string
		fs1, ad1    string
		ad1State    string
		pe2         string
		ad1Negative int
	}{
		{78, "before anything was recorded", "not_stated", "not_stated", "not_stated", "not_stated", 0},
		{77, "1 vendor page", "documented", "not_stated", "not_stated", "documented", 0},
		{52, "2 configuration", "configured", "not_stated", "not_stated", "documented", 0},
		{49, "3 local test", "tested", "not_stated", "not_stated", "documented", 0},
		{42, "4 connector configuration", "tested", "contradicted", "contradicted", "documented", 1},
		{35, "5 test at the receiver", "tested", "contradicted", "contradicted", "documented", 2},
		{28, "6 accepted", "tested", "accepted_risk", "contradicted", "documented", 2},
		{21, "7 second path", "tested", "contradicted", "contradicted", "documented", 3},
		{16, "8 fixed and verified", "tested", "tested", "tested", "documented", 0},
		{12, "9 next release", "tested", "stale", "stale", "documented", 0},
		{9, "10 another variant", "not_stated", "stale", "stale", "not_stated", 0},
		{8, "11 its vendor page", "not_stated", "stale", "stale", "not_provided", 0},
		{5, "the local test on it", "tested", "stale", "stale", "not_provided", 0},
		{3, "the retest on s6", "tested", "contradicted", "contradicted", "not_provided", 1},
		{0, "today", "tested", "contradicted", "contradicted", "not_provided", 1},
	} {
		o := posture.AsOf{At: storetest.Start.Truncate(posture.Day).AddDate(0, 0, 1-step.daysAgo).Add(-time.Microsecond), Past: step.daysAgo > 0}
		if step.daysAgo == 0 {
			o = posture.AsOf{}
		}
		fs1 := verdict(t, db, o, unit.Subject, "FS-1")
		ad1 := verdict(t, db, o, receiver.Subject, "AD-1")
		pe2 := verdict(t, db, o, unit.Subject, "PE-2")
		if fs1.Label.String() != step.fs1 || ad1.Label.String() != step.ad1 || ad1.State.String() != step.ad1State ||
			pe2.Label.String() != step.pe2 || len(ad1.OpenNegatives()) != step.ad1Negative {
			t.Errorf("%s: FS-1 %s, AD-1 %s (%s, %d open), PE-2 %s; want %s, %s (%s, %d open), %s", step.what,
				fs1.Label, ad1.Label, ad1.State, len(ad1.OpenNegatives()), pe2.Label,
				step.fs1, step.ad1, step.ad1State, step.ad1Negative, step.pe2)
		}
	}
}

// A second load changes nothing, and one action takes everything away.
func TestTheSampleLoadsOnceAndGoesWhole(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	load(t, db)
	load(t, db)
	admin := storetest.As(posture.Admin)
	portfolios, err := db.Store.Portfolios(t.Context(), admin)
	if err != nil || len(portfolios) != 2 {
		t.Fatalf("%d portfolios, %v", len(portfolios), err)
	}
	if err := db.Store.RemoveSample(t.Context(), admin, portfolios[1].ID); err != nil {
		t.Fatal(err)
	}
	list, err := db.Store.Runtimes(t.Context(), admin, posture.AsOf{}, posture.RuntimeFilter{Retired: true})
	if err != nil || len(list.Rows) != 0 {
		t.Errorf("%d runtimes are left, %v", len(list.Rows), err)
	}
	load(t, db)
}

func load(t *testing.T, db *storetest.DB) {
	t.Helper()
	shipped, err := catalogue.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	if err := demo.Load(t.Context(), db.Store, shipped, storetest.Start); err != nil {
		t.Fatal(err)
	}
}

func verdict(t *testing.T, db *storetest.DB, o posture.AsOf, subject int64, statement string) posture.Verdict {
	t.Helper()
	item, err := db.Store.StatementPage(t.Context(), storetest.As(posture.Viewer), o, subject, statement)
	if err != nil {
		t.Fatalf("%s of subject %d: %v", statement, subject, err)
	}
	return item.Row.Verdict
}
