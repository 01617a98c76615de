package posture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"demarc/store/posture"
)

// texts gives every sentence of an explanation.
func texts(e *posture.Explanation) []string {
	out := slices.Concat([]string{e.Sentence, e.Next.Text}, e.Missing, e.NotShown, e.Next.Needs)
	for _, p := range slices.Concat(e.Against, e.For) {
		out = append(out, p.Why)
	}
	for _, c := range e.Found {
		out = append(out, c.Text)
	}
	return out
}

// TestLaw7EveryVerdictExplainsItself holds the parts of an explanation against
// the verdict they explain, over generated facts.
func TestLaw7EveryVerdictExplainsItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		known, at := drawClocks(t)
		v, e := posture.Explain(f, known, at)
		if diff := cmp.Diff(posture.Judge(f, known, at), v); diff != "" {
			t.Fatalf("Explain judges otherwise (-Judge +Explain):\n%s", diff)
		}
		var open, hard []string
		for _, p := range e.Against {
			if p.Open != (p.ClosedBy == "") || p.Open != p.Counts {
				t.Fatalf("piece %+v is open and closed", p)
			}
			if p.Open {
				open = append(open, p.ID)
			}
			if p.Open && !p.Soft {
				hard = append(hard, p.ID)
			}
		}
		sortUnique := func(ids []string) []string { slices.Sort(ids); return slices.Compact(ids) }
		if !slices.Equal(sortUnique(open), v.OpenNegatives()) || !slices.Equal(sortUnique(hard), v.Hard) {
			t.Fatalf("open %v, hard %v; the verdict has %v and %v", open, hard, v.OpenNegatives(), v.Hard)
		}
		checkFor(t, &v, &e)
		if (len(e.Missing) == 0) != v.Met {
			t.Fatalf("met is %t and missing is %q", v.Met, e.Missing)
		}
		holds := 0
		for _, c := range e.Found {
			if c.Holds {
				holds++
			}
		}
		if holds != 2 || !strings.HasSuffix(e.Found[len(e.Found)-1].Text, ", so "+v.Label.Words()) {
			t.Fatalf("found %+v does not lead to %s", e.Found, v.Label)
		}
		for _, s := range texts(&e) {
			checkWords(t, s)
		}
	})
}

// checkFor holds the records that count against the rung.
func checkFor(t *rapid.T, v *posture.Verdict, e *posture.Explanation) {
	counts, tested := posture.NotStated, map[string]bool{}
	for _, p := range e.For {
		switch {
		case !p.Counts:
		case p.Kind == posture.KindTest:
			tested[p.Case] = true
		default:
			counts = max(counts, p.Kind.Rung())
		}
		if p.Counts && (!p.Fresh || p.Match != posture.Matches) {
			t.Fatalf("%+v counts although it is past its window or does not match", p)
		}
		for _, f := range p.Moved {
			if f <= posture.Variant {
				t.Fatalf("%+v is of another %s: evidence never travels", p, f)
			}
		}
	}
	switch {
	case v.Rung == posture.Tested && len(tested) < max(1, v.PathsKnown),
		v.Rung != posture.Tested && v.Rung != counts,
		v.PathsKnown > 0 && v.PathsTested != len(tested):
		t.Fatalf("rung %s, %d of %d paths; counted %s and cases %v", v.Rung, v.PathsTested, v.PathsKnown, counts, tested)
	}
}

// checkWords holds a sentence against LOOK.md §6.
func checkWords(t interface{ Fatalf(string, ...any) }, s string) {
	if s == "" || strings.Contains(s, "!") || strings.Contains(s, "  ") || strings.Contains(s, "%!") || strings.Contains(s, "_") {
		t.Fatalf("%q is no sentence for a page", s)
	}
	for _, word := range []string{"secure", "safe", "compliant", "healthy", "sorry"} {
		if strings.Contains(strings.ToLower(s), word) {
			t.Fatalf("%q says %q", s, word)
		}
	}
}

// TestExplainIgnoresOrder shuffles the records.
func TestExplainIgnoresOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := drawFacts(t)
		known, at := drawClocks(t)
		_, want := posture.Explain(f, known, at)
		_, got := posture.Explain(shuffled(t, f), known, at)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("explanation depends on the order of records:\n%s", diff)
		}
	})
}

func shuffled(t *rapid.T, f *posture.Facts) *posture.Facts {
	g := *f
	g.Evidence = rapid.Permutation(f.Evidence).Draw(t, "evidence order")
	g.Closures = rapid.Permutation(f.Closures).Draw(t, "closure order")
	g.Acceptances = rapid.Permutation(f.Acceptances).Draw(t, "acceptance order")
	g.Rulings = rapid.Permutation(f.Rulings).Draw(t, "ruling order")
	return &g
}

func TestNextStepMovesTheVerdict(t *testing.T) {
	t.Parallel()
	for prefix, c := range map[string]struct {
		to   posture.Label
		says string
	}{
		"V01": {posture.LabelDocumented, "Capture the published page"},
		"V03": {posture.LabelConfigured, "Read the configuration from this target"},
		"V05": {posture.LabelTested, "permit and deny in one run"},
		"V06": {posture.LabelConfigured, "Read the configuration"},
		"V07": {posture.LabelTested, "Nothing is asked before 8 Oct 1970"},
		"V13": {posture.LabelTested, "Run xdoc on this very target"},
		"V15": {posture.LabelTested, "Record the target’s config: if it is what d1 was taken on"},
		"V17": {posture.LabelTested, "Fix it, then run xdoc"},
		"V21": {posture.LabelNotStated, "Rule on f"},
		"V24": {posture.LabelTested, "Provide this boundary in our own design"},
		"V29": {posture.LabelTested, "then run b and xdoc"},
		"V30": {posture.LabelTested, "Run XS-01 on this very target"},
		"V31": {posture.LabelTested, "Rule on i"},
		"V33": {posture.LabelTested, "Run xdoc on this very target"},
		"V46": {posture.LabelNotApplicable, "Nothing while the ruling stands until 31 May 1970"},
		"V49": {posture.LabelNotApplicable, "Fix it, then run"},
		"V65": {posture.LabelTested, "Run xdoc"},
	} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			w := goldenWorld(t, prefix)
			_, e := posture.Explain(&w.Facts, w.Known, w.At)
			if e.Next.To != c.to || !strings.Contains(e.Next.Text, c.says) {
				t.Errorf("next is %q to %s; want %q to %s", e.Next.Text, e.Next.To, c.says, c.to)
			}
		})
	}
}

func TestWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ world, id, why string }{
		"half a pair":          {"V08", "d1", "run r1, case xdoc, holds no passing permit beside it"},
		"no control":           {"V11", "d1", "no working control"},
		"past its window":      {"V13", "p1", "past its window since 8 Oct 1970"},
		"drifted":              {"V14", "p1", "taken on another image"},
		"unknown on target":    {"V15", "p1", "config not known on both sides"},
		"over-block":           {"V33", "d1", "permitted access of the same case was refused on"},
		"exact failure":        {"V17", "f", "shows the opposite on this very target"},
		"soft failure":         {"V21", "f", "taken on another version: whether it still applies"},
		"unknown variant":      {"V54", "f", "its variant cannot be compared"},
		"investigated":         {"V31", "i", "still under investigation"},
		"closed, fixed":        {"V19", "f", "closed by c: fixed, and verified by d3"},
		"closed, invalid":      {"V37", "f", "closed by k: the test itself was wrong"},
		"closed, ruled":        {"V39", "f", "closed by k: ruled not to apply"},
		"closes tests only":    {"V36", "c", "closure k has no effect: it can close tests only"},
		"revoked":              {"V38", "f", "it was revoked on 29 Apr 1970"},
		"ruled on another":     {"V40", "f", "the target’s policy differs from what was ruled on"},
		"ruled on unknown":     {"V41", "f", "config is not known on both sides"},
		"test not in the list": {"V42", "f", "p3 does not verify the fix: it is no test of a refusal"},
		"other case":           {"V43", "f", "d3 does not verify the fix: it is of case other, not xdoc"},
		"test withdrawn":       {"V44", "f", "the test it names is withdrawn"},
		"duty":                 {"V68", "p1", "the whole proof of this duty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := goldenWorld(t, c.world)
			_, e := posture.Explain(&w.Facts, w.Known, w.At)
			for _, p := range slices.Concat(e.Against, e.For) {
				if p.ID == c.id {
					if !strings.Contains(p.Why, c.why) {
						t.Errorf("%s: %q does not say %q", c.id, p.Why, c.why)
					}
					return
				}
			}
			t.Errorf("%s is not in the explanation", c.id)
		})
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string][]string{
		"V07": nil,
		"V09": {"a passing deny of case xdoc beside a passing permit in one run, as in run r1, each with a working control"},
		"V15": {"a known config on the target, read from the running system, equal to that of d1"},
		"V17": {"for f: a fix, a passing deny of case xdoc seen after 21 Apr 1970, and a closure that names it"},
		"V33": {"a permit of case xdoc that succeeds again beside its deny, in one run after 29 Apr 1970: permitted access was refused then"},
		"V59": {"a passing permit and a passing deny of case export in one run on this very target, each with a working control"},
	} {
		w := goldenWorld(t, prefix)
		_, e := posture.Explain(&w.Facts, w.Known, w.At)
		if diff := cmp.Diff(want, e.Missing); diff != "" {
			t.Errorf("%s missing (-want +got):\n%s", prefix, diff)
		}
	}
	for rung, says := range map[posture.Rung]string{
		posture.Claimed:    "a dated statement by the vendor, at most 90 days old",
		posture.Documented: "looked at within 90 days",
		posture.Attested:   "whose period ended within 365 days",
		posture.Configured: "within 3 days by tool, or within 90 days by hand",
	} {
		f := posture.Facts{Statement: "FS-1", Target: base, Required: rung, Criticality: posture.CriticalityHigh}
		_, e := posture.Explain(&f, now, now)
		if len(e.Missing) != 1 || !strings.Contains(e.Missing[0], says) {
			t.Errorf("%s missing: %q, want %q", rung, e.Missing, says)
		}
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{
		"V01": "Nobody has said. Required: tested.",
		"V07": "Held in 1 case on this identity on 11 Apr 1970.",
		"V14": "Was tested; that support was taken on another configuration. Required: tested.",
		"V22": "1 record shows the opposite of this statement, on an identity that does not rule this target out. Required: tested.",
		"V24": "1 record says that this is not offered, and nothing ever supported it; our design must provide it. Required: tested.",
		"V26": "Carried until 31 May 1970 by acceptance a; underlying: contradicted. 1 record shows the opposite of this statement on this target. Required: tested.",
		"V29": "2 records show the opposite of this statement on this target; 1 of them is covered by nobody’s acceptance. Required: tested.",
		"V46": "Ruled out for this configuration until 31 May 1970.",
		"V59": "Some known paths are tested, and not all of them; nothing else is said. 1 of 2 known paths tested. Required: tested.",
	} {
		w := goldenWorld(t, prefix)
		if _, e := posture.Explain(&w.Facts, w.Known, w.At); e.Sentence != want {
			t.Errorf("%s\ngot  %s\nwant %s", prefix, e.Sentence, want)
		}
	}
}

func TestNotShownNeverCountsNoEvidence(t *testing.T) {
	t.Parallel()
	w := goldenWorld(t, "V52")
	_, e := posture.Explain(&w.Facts, w.Known, w.At)
	if got := fmt.Sprint(e.NotShown); !strings.Contains(got, "1 inconclusive") || !strings.Contains(got, "anything exercised") {
		t.Errorf("not shown: %s", got)
	}
}

func TestNotShownByScenario(t *testing.T) {
	t.Parallel()
	for caseID, want := range map[string]string{
		"XS-01": "by XS-01: that data services are private",
		"xdoc":  "by tests of this statement: confidentiality; tenant separation; that data services are private",
	} {
		f := posture.Facts{Statement: "FS-1", Target: base, Required: posture.Tested, Evidence: pairOf("p", "FS-1", "r", caseID, now)}
		if _, e := posture.Explain(&f, now, now); !slices.Contains(e.NotShown, want) {
			t.Errorf("case %s: not shown %q, want %q among them", caseID, e.NotShown, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	for _, l := range posture.Labels() {
		means, moves := posture.Describe(l)
		checkWords(t, means)
		checkWords(t, moves)
	}
}
