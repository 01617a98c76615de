package library_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

func open(t *testing.T) *library.Library {
	t.Helper()
	l, err := library.Load()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCounts(t *testing.T) {
	t.Parallel()
	l := open(t)
	families, first := map[string]int{}, 0
	for _, s := range l.Scenarios() {
		families[s.ID[:2]]++
		if s.FirstReview {
			first++
		}
	}
	want := map[string]int{"XS": 8, "OW": 7, "ST": 7, "DT": 7, "SR": 9, "MP": 8, "EG": 8, "CT": 7, "SD": 9, "NN": 5, "AR": 3}
	if diff := cmp.Diff(want, families); diff != "" {
		t.Errorf("scenarios by family (-want +got):\n%s", diff)
	}
	counts := []int{len(l.Statements()), len(l.Dimensions()), len(l.Profiles()), len(l.Scenarios()), first, len(l.Questions()), len(l.Statuses())}
	if want := []int{35, 11, 4, 78, 12, 77, 13}; !slices.Equal(counts, want) {
		t.Errorf("statements, dimensions, profiles, scenarios, minimum set, questions, statuses: %v, want %v", counts, want)
	}
}

// TestIDs holds every id: unique, and known where it is referred to.
func TestIDs(t *testing.T) {
	t.Parallel()
	l := open(t)
	seen := map[string]bool{}
	once := func(kind, id string) {
		if id == "" || seen[kind+id] || strings.Contains(id, ":") {
			t.Errorf("%s %q is empty, prefixed or stands twice", kind, id)
		}
		seen[kind+id] = true
	}
	statement := func(where string, ids []string) {
		if len(ids) == 0 {
			t.Errorf("%s names no statement", where)
		}
		for i, id := range ids {
			if _, ok := l.Statement(id); !ok {
				t.Errorf("%s names %q, which is no statement", where, id)
			}
			if slices.Contains(ids[:i], id) {
				t.Errorf("%s names %s twice", where, id)
			}
		}
	}
	dimension := func(where, code string) {
		if _, ok := l.Dimension(code); !ok {
			t.Errorf("%s names dimension %q", where, code)
		}
	}
	for _, d := range l.Dimensions() {
		once("dimension", d.Code)
		if len(l.ByDimension(d.Code)) == 0 {
			t.Errorf("dimension %s has no statement", d.Code)
		}
	}
	for _, s := range l.Statements() {
		once("statement", s.ID)
		dimension(s.ID, s.Dimension)
		if !strings.HasPrefix(s.ID, s.Dimension+"-") {
			t.Errorf("%s is in dimension %s", s.ID, s.Dimension)
		}
		// The catalogue has no scenario for a shared mount (model.md §4).
		if none := len(l.ForStatement(s.ID)) == 0; none != (s.ID == "FS-3") {
			t.Errorf("no scenario is evidence for %s: %t", s.ID, none)
		}
	}
	for _, p := range l.Profiles() {
		once("profile", p.ID)
		statement(p.ID, p.Statements)
	}
	for _, s := range l.Scenarios() {
		once("scenario", s.ID)
		statement(s.ID, s.Statements)
	}
	for _, q := range l.Questions() {
		once("question", q.ID)
		if q.Dimension != "" {
			dimension("question "+q.ID, q.Dimension)
		}
	}
	for _, s := range l.Statuses() {
		once("status", s.ID)
	}
}

// TestWords holds every text: present, and without the words that LOOK.md §6
// rules out.
func TestWords(t *testing.T) {
	t.Parallel()
	l := open(t)
	check := func(id string, texts ...string) {
		for _, text := range texts {
			lower := strings.ToLower(text)
			if text == "" || strings.ContainsAny(text, "`*!|\"") {
				t.Errorf("%s: %q", id, text)
			}
			for _, word := range []string{"secur", "safe", "complian", "healthy"} {
				if strings.Contains(lower, word) {
					t.Errorf("%s says %q: %s", id, word, text)
				}
			}
		}
	}
	for _, s := range l.Statements() {
		check(s.ID, s.Subject, s.JudgedOn, s.Sentence())
		if !strings.HasPrefix(s.Text, "must not ") || !slices.Contains([]string{"unit", "receiver", "either"}, s.Judged) {
			t.Errorf("%s: %q judged on %q", s.ID, s.Text, s.Judged)
		}
	}
	for _, d := range l.Dimensions() {
		check(d.Code, d.Name, d.Short, d.JudgedOn)
	}
	for _, p := range l.Profiles() {
		check(p.ID, p.Name, p.About, p.Reason)
	}
	for _, s := range l.Scenarios() {
		check(s.ID, s.Family, s.Intent, s.Permit, s.Expected, s.NotShown)
		if (s.Deny == "") != (s.ID == "SR-04") || !slices.Contains([]string{"deny", "permit", "both"}, s.Main) {
			t.Errorf("%s: deny %q, main %q", s.ID, s.Deny, s.Main)
		}
	}
	for _, q := range l.Questions() {
		check("question "+q.ID, q.Topic, q.Text, q.Adequate, q.Warning)
	}
	for _, s := range l.Statuses() {
		check(s.ID, s.Words, s.Test)
	}
}

// TestSubjects holds DESIGN.md §13: what each dimension hangs on.
func TestSubjects(t *testing.T) {
	t.Parallel()
	l := open(t)
	on := map[string]string{
		"PE": "unit", "FS": "unit", "ME": "unit", "NW": "unit", "CD": "unit", "LF": "unit",
		"AD": "receiver", "CP": "receiver", "TL": "either", "MS": "either", "AC": "either",
	}
	for _, s := range l.Statements() {
		if s.Judged != on[s.Dimension] {
			t.Errorf("%s is judged on %s, want %s", s.ID, s.Judged, on[s.Dimension])
		}
		if unit, receiver := s.JudgedAt("unit"), s.JudgedAt("receiver"); unit != (s.Judged != "receiver") || receiver != (s.Judged != "unit") {
			t.Errorf("%s at unit %t, at receiver %t", s.ID, unit, receiver)
		}
	}
	var execution, receivers []string
	for _, d := range l.Dimensions() {
		if d.Column == "execution" {
			execution = append(execution, d.Code)
		} else {
			receivers = append(receivers, d.Code)
		}
	}
	if got, want := strings.Join(execution, " ")+" | "+strings.Join(receivers, " "), "PE FS ME NW CD LF | AD TL MS CP AC"; got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	l := open(t)
	first, ok := l.Profile("first_review")
	if !ok {
		t.Fatal("no profile first_review")
	}
	want := strings.Fields("FS-1 FS-2 ME-2 PE-3 NW-1 NW-2 CD-1 TL-2 TL-4 LF-1 LF-2 AD-1 MS-4")
	got := slices.Sorted(slices.Values(first.Statements))
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first review (-want +got):\n%s", diff)
	}
	names := map[string]string{"Shared service for customers": "shared_service", "Single-tenant coding agent": "coding_agent", "Everything": "everything"}
	for _, p := range l.Profiles() {
		if rung, err := posture.ParseRung(p.Rung); err != nil || rung == posture.NotStated {
			t.Errorf("%s requires %q: %v", p.ID, p.Rung, err)
		}
		delete(names, p.Name)
	}
	if len(names) > 0 {
		t.Errorf("missing profiles: %v", names)
	}
	everything, _ := l.Profile("everything")
	shared, _ := l.Profile("shared_service")
	if len(everything.Statements) != 35 {
		t.Errorf("everything has %d statements", len(everything.Statements))
	}
	for _, id := range first.Statements {
		if !slices.Contains(shared.Statements, id) {
			t.Errorf("a shared service leaves out %s of the first review", id)
		}
	}
	if first.Covers("AC") || !first.Covers("AD") {
		t.Error("first review covers AD and not AC")
	}
}

// TestPolicyIsTheJudges holds the policy file against what the judge does.
func TestPolicyIsTheJudges(t *testing.T) {
	t.Parallel()
	p := open(t).Policy()
	w := posture.DefaultWindows()
	windows := map[string]time.Duration{
		"statement": w.Statement, "documentation": w.Documentation, "documentation_pre_ga": w.DocumentationPre,
		"attestation": w.Attestation, "configuration": w.Configuration, "configuration_high": w.ConfigurationHigh,
		"configuration_by_hand": w.ConfigurationHand, "test": w.Test, "test_high": w.TestHigh,
	}
	caps, due := map[string]time.Duration{}, map[string]time.Duration{}
	for _, s := range posture.Severities() {
		caps[s.String()], due[s.String()] = s.AcceptanceCap(), s.DueIn()
	}
	for what, c := range map[string]struct {
		judge map[string]time.Duration
		file  map[string]int
	}{"windows": {windows, p.WindowsDays}, "acceptance caps": {caps, p.AcceptanceCapDays}, "due days": {due, p.DueDays}} {
		days := map[string]int{}
		for name, d := range c.judge {
			days[name] = int(d / posture.Day)
		}
		if diff := cmp.Diff(days, c.file); diff != "" {
			t.Errorf("%s (-judge +file):\n%s", what, diff)
		}
	}
	names := func(s posture.FacetSet) []string {
		out := []string{}
		for _, f := range s.List() {
			out = append(out, f.String())
		}
		return out
	}
	facets := map[string][]string{"test_at_receiver": names(posture.Required(posture.KindTest, "FS-1", posture.Receiver))}
	for _, k := range posture.Kinds() {
		if k != posture.KindIncident {
			facets[k.String()] = names(posture.Required(k, "FS-1", posture.Unit))
		}
	}
	if diff := cmp.Diff(facets, p.Facets); diff != "" {
		t.Errorf("facets (-judge +file):\n%s", diff)
	}
	for on, more := range p.MoreFacets {
		statement := on
		if !strings.Contains(on, "-") {
			statement += "-1"
		}
		want := append(slices.Clone(p.Facets["test"]), more...)
		if diff := cmp.Diff(want, names(posture.Required(posture.KindTest, statement, posture.Unit))); diff != "" {
			t.Errorf("facets of a test of %s (-file +judge):\n%s", on, diff)
		}
	}
}

func TestScenarioOf(t *testing.T) {
	t.Parallel()
	l := open(t)
	for caseID, want := range map[string]string{
		"SD-01": "SD-01", "scn:SD-01": "SD-01", "sd-01/header": "SD-01", "SD-01 A→B": "SD-01",
		"SD-011": "", "xdoc": "", "": "", "SD-0": "",
	} {
		if s, _ := l.ScenarioOf(caseID); s.ID != want {
			t.Errorf("case %q is of %q, want %q", caseID, s.ID, want)
		}
	}
	if s, _ := l.FirstFor("FS-2"); s.ID != "SR-05" {
		t.Errorf("first scenario for FS-2 is %s, want SR-05 of the minimum set", s.ID)
	}
	if s, ok := l.FirstFor("ORG-3"); ok {
		t.Errorf("first scenario for an own statement is %s", s.ID)
	}
}
