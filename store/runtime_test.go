package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// desk is a store with an editor who describes things through it.
type desk struct {
	*storetest.DB
	editor posture.Access
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	return &desk{storetest.New(t), named(posture.Editor, "J. Lindqvist")}
}

func (d *desk) create(t *testing.T, r posture.Runtime) posture.Runtime {
	t.Helper()
	if r.Profile == "" {
		r.Profile = "first_review"
	}
	made, err := d.Store.CreateRuntime(t.Context(), d.editor, r)
	if err != nil {
		t.Fatalf("create %s: %v", r.Slug, err)
	}
	return made
}

func (d *desk) createComponent(t *testing.T, c posture.Component) posture.Component {
	t.Helper()
	if c.Kind == "" {
		c.Kind = "retrieval"
	}
	made, err := d.Store.CreateComponent(t.Context(), d.editor, c)
	if err != nil {
		t.Fatalf("create %s: %v", c.Slug, err)
	}
	return made
}

func (d *desk) link(t *testing.T, runtime, component string) {
	t.Helper()
	if err := d.Store.Link(t.Context(), d.editor, runtime, component); err != nil {
		t.Fatalf("link %s to %s: %v", runtime, component, err)
	}
}

// asked lists what a runtime's page shows as required: statement, subject,
// answer and rung.
func (d *desk) asked(t *testing.T, slug string) []string {
	t.Helper()
	page, err := d.Store.RuntimePage(t.Context(), d.editor, posture.AsOf{}, slug)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, row := range page.Statements {
		if row.HasRequired {
			list = append(list, row.Statement+" "+row.Subject.Slug+" "+row.Requirement.Wanted.String()+" "+row.Requirement.Rung.String())
		}
	}
	return list
}

func TestCreateRuntimeInheritsItsProfile(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	made := d.create(t, posture.Runtime{
		Slug: "case-assistant", Name: " Case assistant ", Purpose: "Answers case workers’ questions.", Stage: posture.StageInUse,
		Owner: "J. Lindqvist", RiskOwner: "Ines Marchetti", DataClass: "confidential", Criticality: posture.CriticalityHigh, MultiTenant: true,
		Intents: map[string]posture.Intent{
			"FS": {Purpose: posture.PurposeIntended, Text: "from other customers, by the hypervisor"},
			"ME": {Purpose: posture.PurposeNotIntended, Text: "it keeps no memory"},
		},
		Target: posture.Target{Identity: identityR1},
	})
	want := posture.Runtime{
		ID: made.ID, Subject: made.Subject, Slug: "case-assistant", Portfolio: 1, Version: 1, From: storetest.Start, By: "test:J. Lindqvist",
		Name: "Case assistant", Purpose: "Answers case workers’ questions.", Intents: made.Intents, Stage: posture.StageInUse,
		Owner: "J. Lindqvist", RiskOwner: "Ines Marchetti", DataClass: "confidential", Criticality: posture.CriticalityHigh,
		MultiTenant: true, Profile: "first_review",
		Target: posture.Target{
			ID: made.Target.ID, Subject: made.Subject, Identity: identityR1, RecordedAt: storetest.Start, RecordedBy: "test:J. Lindqvist",
		},
	}
	if diff := cmp.Diff(want, made); diff != "" || made.ID == 0 || made.Target.ID == 0 || len(made.Intents) != 2 {
		t.Errorf("made (-want +got):\n%s", diff)
	}
	wantAsked := []string{
		"PE-3 case-assistant undecided tested", "FS-1 case-assistant intended tested", "FS-2 case-assistant intended tested",
		"ME-2 case-assistant not_intended tested", "NW-1 case-assistant undecided tested", "NW-2 case-assistant undecided tested",
		"CD-1 case-assistant undecided tested", "LF-1 case-assistant undecided tested", "LF-2 case-assistant undecided tested",
		"TL-2 case-assistant undecided tested", "TL-4 case-assistant undecided tested", "MS-4 case-assistant undecided tested",
	}
	slices.Sort(wantAsked)
	got := d.asked(t, "case-assistant")
	slices.Sort(got)
	if diff := cmp.Diff(wantAsked, got); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	r, err := d.Store.Requirement(t.Context(), d.editor, made.Subject, "ME-2")
	if err != nil || r.Reason != "it keeps no memory" || r.Owner != "J. Lindqvist" || r.Version != 1 {
		t.Errorf("ME-2 is asked as %+v, %v", r, err)
	}
	if r, err = d.Store.Requirement(t.Context(), d.editor, made.Subject, "PE-1"); err != nil || r.Version != 0 || r.Statement != "PE-1" {
		t.Errorf("PE-1, asked of nobody, reads %+v, %v", r, err)
	}
}

func TestCreateRuntimeRefusesAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.Store.CreateRuntime(t.Context(), d.editor, posture.Runtime{
		Slug: "Case Assistant", Purpose: "It is fully sandboxed and isolated.", DataClass: "secret", Profile: "none",
		Intents: map[string]posture.Intent{
			"FS": {Purpose: posture.PurposeNotIntended},
			"NW": {Purpose: posture.PurposeIntended, Text: "Secure!"},
			"XX": {},
		},
		Target: posture.Target{Identity: posture.Identity{posture.Region: "any"}},
	})
	if posture.KindOf(err) != posture.Invalid {
		t.Fatalf("got %v", err)
	}
	want := []string{"data_class", "intent.FS", "intent.NW", "intent.XX", "profile", "purpose", "region", "slug"}
	got := faults(err)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	says(t, "a bare word", err, "Kept from whom, by what?")
	d.create(t, posture.Runtime{Slug: "case-assistant", Purpose: "isolated from other customers by a hypervisor"})
	_, err = d.Store.CreateRuntime(t.Context(), d.editor, posture.Runtime{Slug: "case-assistant", Profile: "everything"})
	if diff := cmp.Diff([]string{"slug"}, faults(err)); diff != "" {
		t.Errorf("the same short name (-want +got):\n%s", diff)
	}
}

func TestInventoryIsForEditors(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := d.create(t, posture.Runtime{Slug: "a"})
	ctx, target := t.Context(), posture.Target{Identity: identityR1}
	for _, role := range posture.Roles() {
		a := storetest.As(role)
		writes := map[string]error{"link": d.Store.Link(ctx, a, "none", "none"), "unlink": d.Store.Unlink(ctx, a, "none", "none")}
		writes["retire"] = d.Store.RetireRuntime(ctx, a, "none", 1, "x")
		writes["retire component"] = d.Store.RetireComponent(ctx, a, "none", 1, "x")
		_, writes["create"] = d.Store.CreateRuntime(ctx, a, posture.Runtime{Slug: "-"})
		_, writes["create component"] = d.Store.CreateComponent(ctx, a, posture.Component{Slug: "-"})
		_, writes["change"] = d.Store.ChangeRuntime(ctx, a, posture.Runtime{Slug: "-"})
		_, writes["change component"] = d.Store.ChangeComponent(ctx, a, posture.Component{Slug: "-"})
		_, _, writes["target"] = d.Store.RecordTarget(ctx, a, 999, target)
		_, writes["require"] = d.Store.Require(ctx, a, nil)
		_, writes["preview"] = d.Store.PreviewRequire(ctx, a, nil)
		may := role == posture.Editor || role == posture.Admin
		for name, err := range writes {
			if got := posture.KindOf(err) != posture.Forbidden; got != may {
				t.Errorf("%s by %s: %v", name, role, err)
			}
		}
		if _, err := d.Store.Runtime(ctx, a, r.Slug, posture.AsOf{}); err != nil {
			t.Errorf("read by %s: %v", role, err)
		}
	}
}

func TestChangeRuntimeKeepsBothWriters(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first := d.create(t, posture.Runtime{Slug: "a", Name: "One"})
	mine, theirs := first, first
	mine.Name, theirs.Purpose = "Two", "Answers questions."
	d.Clock.Add(time.Hour)
	if _, err := d.Store.ChangeRuntime(t.Context(), d.editor, mine); err != nil {
		t.Fatal(err)
	}
	_, err := d.Store.ChangeRuntime(t.Context(), d.editor, theirs)
	if posture.KindOf(err) != posture.Conflicting || !strings.Contains(err.Error(), "it is at version 2 now") {
		t.Fatalf("the second writer gets %v", err)
	}
	for version, name := range map[int]string{1: "One", 2: "Two"} {
		r, err := d.Store.RuntimeVersion(t.Context(), d.editor, "a", version)
		if err != nil || r.Name != name || r.Version != version || r.Purpose != "" {
			t.Errorf("version %d reads %+v, %v", version, r, err)
		}
	}
	if _, err := d.Store.RuntimeVersion(t.Context(), d.editor, "a", 3); posture.KindOf(err) != posture.NotFound {
		t.Errorf("version 3: %v", err)
	}
}

// TestIntentsCarryTheirStatements: what said the same as its dimension goes on
// doing so, what was decided by itself stays.
func TestIntentsCarryTheirStatements(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := d.create(t, posture.Runtime{Slug: "a"})
	own, err := d.Store.Requirement(t.Context(), d.editor, r.Subject, "FS-2")
	if err != nil {
		t.Fatal(err)
	}
	own.Wanted, own.Reason = posture.NotIntended, "it mounts nothing"
	if _, err := d.Store.Require(t.Context(), d.editor, []posture.Requirement{own}); err != nil {
		t.Fatal(err)
	}
	r.Intents = map[string]posture.Intent{"FS": {Purpose: posture.PurposeIntended, Text: "from other customers, by the hypervisor"}}
	r.Profile = "coding_agent"
	if _, err := d.Store.ChangeRuntime(t.Context(), d.editor, r); err != nil {
		t.Fatal(err)
	}
	got := d.asked(t, "a")
	for _, want := range []string{
		"FS-1 a intended tested", "FS-2 a not_intended tested", "LF-1 a undecided tested",
		"PE-1 a undecided configured", "TL-1 a undecided configured",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among what is asked: %q", want, got)
		}
	}
}

func TestRuntimesAsOf(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := d.create(t, posture.Runtime{Slug: "a", Name: "One", Target: posture.Target{Identity: identityR1}})
	d.Clock.Add(10 * posture.Day)
	if _, _, err := d.Store.RecordTarget(t.Context(), d.editor, r.Subject, posture.Target{Identity: with(identityR1, posture.Version, "2")}); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(10 * posture.Day)
	r.Name = "Two"
	if r, err := d.Store.ChangeRuntime(t.Context(), d.editor, r); err != nil || r.Version != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	d.Clock.Add(10 * posture.Day)
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 2, "replaced by b"); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(posture.Day)
	for _, c := range []struct {
		days          int
		name, version string
		listed        bool
	}{{5, "One", "1", true}, {15, "One", "2", true}, {25, "Two", "2", true}, {31, "Two", "2", false}} {
		o := posture.AsOf{At: storetest.Start.Add(time.Duration(c.days) * posture.Day), Past: true}
		got, err := d.Store.Runtime(t.Context(), d.editor, "a", o)
		if err != nil || got.Name != c.name || got.Target.Identity[posture.Version] != c.version || got.Retired == c.listed {
			t.Errorf("after %d days it reads %+v, %v", c.days, got, err)
		}
		list, err := d.Store.Runtimes(t.Context(), d.editor, o, posture.RuntimeFilter{})
		if err != nil || (len(list.Rows) == 1) != c.listed || (list.Total == 1) != c.listed {
			t.Errorf("after %d days %d of %d are listed, %v", c.days, len(list.Rows), list.Total, err)
		}
	}
	if _, err := d.Store.Runtime(t.Context(), d.editor, "a", posture.AsOf{At: storetest.Start.Add(-1), Past: true}); posture.KindOf(err) != posture.NotFound {
		t.Errorf("before it was described: %v", err)
	}
	list, err := d.Store.Runtimes(t.Context(), d.editor, posture.AsOf{}, posture.RuntimeFilter{Retired: true})
	if err != nil || len(list.Rows) != 1 || list.Rows[0].Runtime.RetiredBecause != "replaced by b" {
		t.Errorf("retired runtimes: %+v, %v", list, err)
	}
}

func TestRetireRuntimeRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, posture.Runtime{Slug: "a"})
	err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 1, " ")
	if diff := cmp.Diff([]string{"because"}, faults(err)); diff != "" {
		t.Errorf("without a reason (-want +got):\n%s", diff)
	}
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 7, "gone"); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("from another version: %v", err)
	}
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 1, "gone"); err != nil {
		t.Fatal(err)
	}
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "a", 2, "gone"); posture.KindOf(err) != posture.Invalid {
		t.Errorf("a second time: %v", err)
	}
	r, err := d.Store.Runtime(t.Context(), d.editor, "a", posture.AsOf{})
	if err != nil || !r.Retired {
		t.Fatalf("%+v, %v", r, err)
	}
	r.Retired = false
	if r, err = d.Store.ChangeRuntime(t.Context(), d.editor, r); err != nil || r.Retired || r.RetiredBecause != "" {
		t.Errorf("brought back it reads %+v, %v", r, err)
	}
}
