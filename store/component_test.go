package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/storetest"
)

func TestComponentVersions(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	c := d.createComponent(t, posture.Component{
		Slug: "document-search", Kind: "retrieval", Name: "Document search", Owner: "R. Banerjee", Shared: true,
		Target: posture.Target{Identity: identityS},
	})
	if c.Version != 1 || !c.Shared || c.Target.Identity != identityS || c.Subject == 0 {
		t.Errorf("made %+v", c)
	}
	d.Clock.Add(time.Hour)
	next := c
	next.Owner, next.Kind = "Search Platform", "storage"
	saved, err := d.Store.ChangeComponent(t.Context(), d.editor, next)
	if err != nil || saved.Owner != "Search Platform" || saved.Kind != "storage" || saved.Version != 2 {
		t.Fatalf("saved %+v, %v", saved, err)
	}
	if _, err := d.Store.ChangeComponent(t.Context(), d.editor, next); posture.KindOf(err) != posture.Conflicting {
		t.Errorf("a second writer gets %v", err)
	}
	first, err := d.Store.ComponentVersion(t.Context(), d.editor, "document-search", 1)
	if err != nil || first.Owner != "R. Banerjee" {
		t.Errorf("version 1 reads %+v, %v", first, err)
	}
	past, err := d.Store.Component(t.Context(), d.editor, "document-search", posture.AsOf{At: storetest.Start, Past: true})
	if err != nil || past.Owner != "R. Banerjee" {
		t.Errorf("as of the start it reads %+v, %v", past, err)
	}
}

func TestCreateComponentRefusesAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	_, err := d.Store.CreateComponent(t.Context(), d.editor, posture.Component{Slug: "-", Kind: "database", Purpose: "secure", DataClass: "x"})
	if diff := cmp.Diff([]string{"slug", "kind", "purpose", "data_class"}, faults(err)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	d.createComponent(t, posture.Component{Slug: "a"})
	_, err = d.Store.CreateComponent(t.Context(), d.editor, posture.Component{Slug: "a", Kind: "other"})
	if diff := cmp.Diff([]string{"slug"}, faults(err)); diff != "" {
		t.Errorf("the same short name (-want +got):\n%s", diff)
	}
}

func TestAComponentInUseIsNotRetired(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.createComponent(t, posture.Component{Slug: "document-search"})
	for _, slug := range []string{"a", "b", "c", "d"} {
		d.create(t, posture.Runtime{Slug: slug})
		d.link(t, slug, "document-search")
	}
	err := d.Store.RetireComponent(t.Context(), d.editor, "document-search", 1, "replaced")
	says(t, "a component in use", err, "Sessions of a, b, c and 1 more use it. Unlink it there first.")
	for _, slug := range []string{"a", "b", "c"} {
		if err := d.Store.Unlink(t.Context(), d.editor, slug, "document-search"); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Store.RetireRuntime(t.Context(), d.editor, "d", 1, "switched off"); err != nil {
		t.Fatal(err)
	}
	d.Clock.Add(time.Hour)
	if err := d.Store.RetireComponent(t.Context(), d.editor, "document-search", 1, "replaced"); err != nil {
		t.Fatal(err)
	}
	rows, _, err := d.Store.Components(t.Context(), d.editor, posture.AsOf{}, "", "", 0)
	if err != nil || len(rows) != 0 {
		t.Errorf("%d components are listed, %v", len(rows), err)
	}
	events, err := d.Store.History(t.Context(), d.editor, posture.AsOf{}, 1, time.Time{}, 0)
	if err != nil || len(events) == 0 || events[0].Text != "retired" || events[0].Detail != "replaced" {
		t.Errorf("its history begins with %+v, %v", events, err)
	}
	if err := d.Store.Link(t.Context(), d.editor, "a", "document-search"); posture.KindOf(err) != posture.Invalid {
		t.Errorf("a link to a retired component: %v", err)
	}
}

func TestComponentsList(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, slug := range []string{"alpha", "beta", "gamma-2"} {
		s.component(t, slug, "Owner", "", false)
	}
	s.record(t, s.test(s.receiver, "AD-1", "r", "SD-01", posture.Deny, posture.Fail, identityS))
	if err := s.Store.Link(t.Context(), s.tester, "case-assistant", "document-search"); err != nil {
		t.Fatal(err)
	}
	var slugs []string
	after := ""
	for {
		rows, next, err := s.Store.Components(t.Context(), s.tester, posture.AsOf{}, "", after, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			slugs = append(slugs, row.Component.Slug)
		}
		if after = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"alpha", "beta", "document-search", "gamma-2"}, slugs); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	for find, want := range map[string]int{"SEARCH": 1, "banerjee": 1, "gamma_": 0, "%": 0, "s4": 1, "Owner": 3} {
		rows, _, err := s.Store.Components(t.Context(), s.tester, posture.AsOf{}, find, "", 0)
		if err != nil || len(rows) != want {
			t.Errorf("find %q gives %d, want %d, %v", find, len(rows), want, err)
		}
	}
	rows, _, err := s.Store.Components(t.Context(), s.tester, posture.AsOf{}, "document", "", 0)
	want := posture.ColumnCounts{Worst: posture.LabelContradicted, Any: true, Against: 1, Required: 1}
	if err != nil || rows[0].Users != 1 || rows[0].Open != 1 || rows[0].Counts != want {
		t.Errorf("document-search reads %+v, %v", rows, err)
	}
}
