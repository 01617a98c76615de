package posture_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

func TestJudgedOn(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string][2]bool{
		"PE-1": {true, false}, "FS-1": {true, false}, "ME-2": {true, false}, "NW-1": {true, false}, "CD-1": {true, false},
		"LF-4": {true, false}, "AD-1": {false, true}, "CP-2": {false, true}, "TL-1": {true, true}, "MS-4": {true, true},
		"AC-1": {true, true}, "ORG-3": {true, true},
	} {
		if got := [2]bool{posture.JudgedOn(statement, posture.Unit), posture.JudgedOn(statement, posture.Receiver)}; got != want {
			t.Errorf("%s on unit and receiver: %v, want %v", statement, got, want)
		}
	}
}

func TestVague(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Sandboxed.": true, "it is fully isolated": true, "SECURE": true, "safe and secure": true,
		"": false, "a": false, "isolated by a microVM": false, "sandboxed from other tenants": false, "secure boot": false,
	} {
		if got := posture.Vague(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

func TestHandsSame(t *testing.T) {
	t.Parallel()
	self := posture.Hands{Actors: []string{"token:3", "person:12"}, Names: []string{"T. Arroyo", "ta@example.org", ""}}
	for name, c := range map[string]struct {
		other posture.Hands
		want  bool
	}{
		"same actor":                {posture.Hands{Actors: []string{"person:12"}}, true},
		"a token of the same maker": {posture.Hands{Actors: []string{"token:9", "person:12"}}, true},
		"tester by name":            {posture.Hands{Actors: []string{"person:1"}, Names: []string{"t.  arroyo "}}, true},
		"tester by address":         {posture.Hands{Names: []string{"TA@example.org"}}, true},
		"somebody else":             {posture.Hands{Actors: []string{"person:1"}, Names: []string{"P. Haas"}}, false},
		"nobody named":              {posture.Hands{Actors: []string{""}, Names: []string{""}}, false},
	} {
		if got := self.Same(c.other); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// Table I-2 of SP 800-30, read row by row (model.md §2.12).
func TestRiskIsTheTable(t *testing.T) {
	t.Parallel()
	rows := map[posture.Severity]string{
		posture.VeryHigh: "VL L M H VH", posture.High: "VL L M H VH", posture.Moderate: "VL L M M H",
		posture.Low: "VL L L L M", posture.VeryLow: "VL VL VL L L",
	}
	short := [...]string{"VL", "L", "M", "H", "VH"}
	for likelihood, want := range rows {
		var got []string
		for _, impact := range posture.Severities() {
			got = append(got, short[posture.Risk(likelihood, impact)])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", likelihood, got, want)
		}
	}
}

func TestFirstSeverity(t *testing.T) {
	t.Parallel()
	failed := posture.Evidence{Kind: posture.KindTest, Expected: posture.Deny, Outcome: posture.Fail}
	refused := posture.Evidence{Kind: posture.KindTest, Expected: posture.Permit, Outcome: posture.Fail}
	unclear := posture.Evidence{Kind: posture.KindIncident, Advisory: posture.UnderInvestigation}
	for name, c := range map[string]struct {
		e      posture.Evidence
		stakes posture.Stakes
		want   posture.Severity
	}{
		"nothing known":            {failed, posture.Stakes{}, posture.Moderate},
		"synthetic data":           {failed, posture.Stakes{DataClass: "synthetic"}, posture.Low},
		"critical":                 {failed, posture.Stakes{Criticality: posture.CriticalityHigh}, posture.High},
		"confidential":             {failed, posture.Stakes{DataClass: "confidential"}, posture.High},
		"restricted":               {failed, posture.Stakes{DataClass: "restricted"}, posture.High},
		"critical, synthetic":      {failed, posture.Stakes{Criticality: posture.CriticalityHigh, DataClass: "synthetic"}, posture.High},
		"many tenants":             {failed, posture.Stakes{ManyTenants: true}, posture.High},
		"confidential, shared":     {failed, posture.Stakes{DataClass: "confidential", ManyTenants: true}, posture.VeryHigh},
		"all of it":                {failed, posture.Stakes{Criticality: posture.CriticalityHigh, DataClass: "restricted", ManyTenants: true}, posture.VeryHigh},
		"under investigation":      {unclear, posture.Stakes{DataClass: "confidential"}, posture.Moderate},
		"permitted access refused": {refused, posture.Stakes{}, posture.Low},
		"refused, public":          {refused, posture.Stakes{DataClass: "public"}, posture.VeryLow},
	} {
		if got := posture.FirstSeverity(&c.e, c.stakes); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestCheckAcceptanceCaps(t *testing.T) {
	t.Parallel()
	now := day(100)
	for severity, days := range map[posture.Severity]int{
		posture.VeryHigh: 30, posture.High: 90, posture.Moderate: 180, posture.Low: 365, posture.VeryLow: 365,
	} {
		last := now.AddDate(0, 0, days)
		c := posture.AcceptanceRecord{Condition: "no restricted documents", Severity: severity, ReviewAt: now.Add(time.Hour)}
		c.ExpiresAt = last
		if f := posture.CheckAcceptance(&c, now); len(f) != 0 {
			t.Errorf("%s until its last day: %v", severity, f)
		}
		c.ExpiresAt = last.Add(time.Microsecond)
		f := posture.CheckAcceptance(&c, now)
		if len(f) != 1 || f[0].Field != "expires_at" || !strings.Contains(f[0].Text, "The last possible day is "+last.Format("2 Jan 2006")) {
			t.Errorf("%s past its last instant: %v", severity, f)
		}
	}
	c := posture.AcceptanceRecord{Severity: posture.VeryHigh}
	c.ExpiresAt, c.ReviewAt = now.AddDate(0, 0, 90), now.AddDate(0, 0, 91)
	var got []string
	for _, f := range posture.CheckAcceptance(&c, now) {
		got = append(got, f.Field+": "+f.Text)
	}
	want := []string{
		"condition: Write the condition under which the risk is carried.",
		"expires_at: 90 days is more than a very high severity allows. The last possible day is 11 May 1970.",
		"review_at: The review must not come after the day on which it lapses.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all faults at once (-want +got):\n%s", diff)
	}
}

func TestCheckCovers(t *testing.T) {
	t.Parallel()
	open := &posture.Verdict{Hard: []string{"E-0412", "E-0431"}, Soft: []string{"E-0467"}}
	short := &posture.Verdict{Rung: posture.Documented}
	for name, c := range map[string]struct {
		covers    []string
		shortfall bool
		v         *posture.Verdict
		want      string
	}{
		"every one":           {[]string{"E-0467", "E-0412", "E-0431"}, false, open, ""},
		"one left out":        {[]string{"E-0412", "E-0431"}, false, open, "E-0467 is open and not named. An acceptance that leaves one out carries nothing."},
		"one that is closed":  {[]string{"E-0412", "E-0431", "E-0467", "E-0001"}, false, open, "E-0001 is not open here."},
		"the shortfall":       {nil, true, short, ""},
		"nothing said":        {nil, false, short, "Say that the shortfall is what is accepted."},
		"negatives, none":     {[]string{"E-0412"}, false, short, "accept the shortfall instead"},
		"shortfall, with one": {[]string{"E-0412", "E-0431", "E-0467"}, true, open, "Negatives are open: name them."},
		"met":                 {nil, true, &posture.Verdict{Met: true}, "there is nothing to accept"},
	} {
		faults := posture.CheckCovers(c.covers, c.shortfall, c.v)
		switch {
		case c.want == "" && len(faults) > 0:
			t.Errorf("%s: refused: %v", name, faults)
		case c.want != "" && (len(faults) != 1 || !strings.Contains(faults[0].Text, c.want)):
			t.Errorf("%s: %v, want %q", name, faults, c.want)
		}
	}
}

// NotReverifying is the reason to the judge's own answer: it is silent exactly
// where a test verifies a fix.
func TestNotReverifyingAgreesWithTheJudge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		pick := func(label string, words ...string) string { return rapid.SampledFrom(words).Draw(t, label) }
		identity := func(label string) posture.Identity {
			var id posture.Identity
			for _, f := range posture.Facets() {
				id[f] = pick(label+" "+f.String(), "1", "1", "1", "1", "2", "")
			}
			return id
		}
		subject := rapid.SampledFrom([]posture.SubjectKind{posture.Unit, posture.Receiver}).Draw(t, "subject")
		p := posture.Evidence{
			ID: "p", Kind: rapid.SampledFrom([]posture.Kind{posture.KindTest, posture.KindConfiguration}).Draw(t, "kind"),
			Statement: pick("p statement", "AD-1", "TL-1"), Case: pick("p case", "a", "b", ""), ObservedAt: day(rapid.IntRange(1, 3).Draw(t, "p day")),
			Expected:  rapid.SampledFrom([]posture.Expected{posture.Permit, posture.Deny}).Draw(t, "expected"),
			Outcome:   rapid.SampledFrom([]posture.Outcome{posture.Pass, posture.Fail}).Draw(t, "outcome"),
			ControlOK: rapid.Bool().Draw(t, "control"), Identity: identity("p"),
		}
		e := posture.Evidence{
			ID: "e", Kind: rapid.SampledFrom(posture.Kinds()).Draw(t, "e kind"), Statement: pick("e statement", "AD-1", "TL-1"),
			Case: pick("e case", "a", ""), ObservedAt: day(2), Identity: identity("e"),
		}
		c := posture.Closure{Identity: identity("c")}
		if rapid.Bool().Draw(t, "aligned") {
			e.Identity, c.Identity = p.Identity, p.Identity
			p.Kind, p.Expected, p.Outcome, p.ControlOK = posture.KindTest, posture.Deny, posture.Pass, true
		}
		why := posture.NotReverifying(&p, &e, &c, subject)
		if posture.Reverifies(&p, &e, &c, subject) != (why == "") {
			t.Fatalf("judge says %t, reason is %q", posture.Reverifies(&p, &e, &c, subject), why)
		}
	})
}

func TestCheckClosure(t *testing.T) {
	t.Parallel()
	target := posture.Identity{
		posture.Vendor: "V", posture.Product: "P", posture.Variant: "m", posture.Version: "2", posture.Policy: "p", posture.Config: "c",
		posture.Region: "eu", posture.Image: "i",
	}
	failed := func() posture.Evidence {
		return posture.Evidence{ID: "E-0001", Kind: posture.KindTest, Statement: "FS-1", Case: "XS-01", Expected: posture.Deny, Outcome: posture.Fail, Identity: target, ObservedAt: day(10)}
	}
	passed := func() posture.Evidence {
		return posture.Evidence{ID: "E-0002", Kind: posture.KindTest, Statement: "FS-1", Case: "XS-01", Expected: posture.Deny, Outcome: posture.Pass, ControlOK: true, Identity: target, ObservedAt: day(11)}
	}
	fixed := func() posture.ClosureRecord {
		return posture.ClosureRecord{Closure: posture.Closure{Kind: posture.FixedVerified, Identity: target, Evidence: []string{"E-0002"}}, Fix: "release 2"}
	}
	for name, c := range map[string]struct {
		edit func(c *posture.ClosureRecord, e, p *posture.Evidence, target *posture.Identity)
		want string
	}{
		"verified":   {func(*posture.ClosureRecord, *posture.Evidence, *posture.Evidence, *posture.Identity) {}, ""},
		"wrong case": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) { p.Case = "XS-02" }, "it is of case XS-02, not XS-01"},
		"no case":    {func(_ *posture.ClosureRecord, e, p *posture.Evidence, _ *posture.Identity) { e.Case, p.Case = "", "" }, "E-0001 names no case"},
		"earlier":    {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) { p.ObservedAt = day(10) }, "it was not observed after E-0001"},
		"other variant": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) {
			p.Identity[posture.Variant] = "n"
		}, "it was taken on another variant"},
		"no control": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) { p.ControlOK = false }, "its control was not proven"},
		"not passed": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) {
			p.Outcome = posture.Inconclusive
		}, "it did not pass"},
		"a permit": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) {
			p.Expected = posture.Permit
		}, "it is no test of a refusal"},
		"withdrawn": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) { p.WithdrawnAt = day(12) }, "it is withdrawn"},
		"other identity": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) {
			p.Identity[posture.Config] = "d"
		}, "its config is not what the closure is about"},
		"unknown identity": {func(_ *posture.ClosureRecord, _, p *posture.Evidence, _ *posture.Identity) {
			p.Identity[posture.Image] = ""
		}, "image is not known"},
		"no test": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) { c.Evidence = nil }, "Choose the passing deny"},
		"unknown test": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) {
			c.Evidence = []string{"E-0009"}
		}, "There is no record E-0009"},
		"no fix":           {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) { c.Fix = " " }, "Name the fix"},
		"nothing to close": {func(_ *posture.ClosureRecord, e, _ *posture.Evidence, _ *posture.Identity) { e.Outcome = posture.Pass }, "there is nothing to close"},
		"a withdrawn one":  {func(_ *posture.ClosureRecord, e, _ *posture.Evidence, _ *posture.Identity) { e.WithdrawnAt = day(12) }, "it no longer counts"},
		"a document": {func(_ *posture.ClosureRecord, e, _ *posture.Evidence, _ *posture.Identity) {
			e.Kind, e.Polarity = posture.KindDocumentation, posture.Contradicts
		}, ""},
		"a statement": {func(_ *posture.ClosureRecord, e, _ *posture.Evidence, _ *posture.Identity) {
			e.Kind, e.Polarity = posture.KindStatement, posture.Contradicts
		}, ""},
		"any case of a configuration": {func(_ *posture.ClosureRecord, e, p *posture.Evidence, _ *posture.Identity) {
			e.Kind, e.Polarity, e.Case, p.Case = posture.KindConfiguration, posture.Contradicts, "", "XS-09"
		}, ""},
		"invalid, no test": {func(c *posture.ClosureRecord, e, _ *posture.Evidence, _ *posture.Identity) {
			c.Kind, c.Text, e.Kind, e.Polarity = posture.TestInvalid, "broken fixture", posture.KindConfiguration, posture.Contradicts
		}, "closes tests only"},
		"invalid, no reason": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) {
			c.Kind = posture.TestInvalid
		}, "Write what was wrong"},
		"not applicable": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) {
			c.Kind, c.Justification, c.Text = posture.ClosureNotApplicable, "component_absent", "there is no such mount"
		}, ""},
		"not applicable, no code": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, _ *posture.Identity) {
			c.Kind, c.Text = posture.ClosureNotApplicable, "there is no such mount"
		}, "Choose a justification"},
		"not applicable, unknown target": {func(c *posture.ClosureRecord, _, _ *posture.Evidence, target *posture.Identity) {
			c.Kind, c.Justification, c.Text = posture.ClosureNotApplicable, "component_absent", "there is no such mount"
			target[posture.Policy], target[posture.Config] = "", ""
		}, "policy and config are not known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, p, record, on := failed(), passed(), fixed(), target
			c.edit(&record, &e, &p, &on)
			faults := posture.CheckClosure(&record, &e, map[string]*posture.Evidence{"E-0001": &e, "E-0002": &p}, &on, posture.Unit)
			var texts []string
			for _, f := range faults {
				texts = append(texts, f.Text)
			}
			text := strings.Join(texts, " ")
			if (c.want == "") != (len(faults) == 0) || !strings.Contains(text, c.want) {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

func TestCheckRecord(t *testing.T) {
	t.Parallel()
	now := day(100)
	document := posture.Record{Words: "one microVM a session", Evidence: posture.Evidence{
		Kind: posture.KindDocumentation, Statement: "FS-1", Polarity: posture.Supports, ObservedAt: day(99), Identity: posture.Identity{posture.Region: "any"},
	}}
	for name, c := range map[string]struct {
		edit func(r *posture.Record)
		want []string
	}{
		"whole":             {func(*posture.Record) {}, nil},
		"seen at this time": {func(r *posture.Record) { r.ObservedAt = now }, nil},
		"seen later":        {func(r *posture.Record) { r.ObservedAt = now.Add(time.Microsecond) }, []string{"observed_at"}},
		"seen never":        {func(r *posture.Record) { r.ObservedAt = time.Time{} }, []string{"observed_at"}},
		"no statement":      {func(r *posture.Record) { r.Statement = " " }, []string{"statement"}},
		"judged elsewhere":  {func(r *posture.Record) { r.Statement = "AD-1" }, []string{"statement"}},
		"ends before":       {func(r *posture.Record) { r.ValidUntil = day(99) }, []string{"valid_until"}},
		"no words":          {func(r *posture.Record) { r.Words = "" }, []string{"words"}},
		"vague words":       {func(r *posture.Record) { r.Words = "Sandboxed." }, []string{"words"}},
		"half an address":   {func(r *posture.Record) { r.URL = "vendor.example/page" }, []string{"url"}},
		"unknown speaker":   {func(r *posture.Record) { r.SourceRole = "friend" }, []string{"source_role"}},
		"unknown method":    {func(r *posture.Record) { r.Method = "guess" }, []string{"method"}},
		"any, read":         {func(r *posture.Record) { r.Kind = posture.KindConfiguration }, []string{"region"}},
		"any, said":         {func(r *posture.Record) { r.Kind = posture.KindStatement }, []string{"region"}},
		"any, attested":     {func(r *posture.Record) { r.Kind = posture.KindAttestation }, nil},
		"a test of nothing": {func(r *posture.Record) {
			r.Kind, r.Polarity, r.Identity = posture.KindTest, posture.PolarityNone, posture.Identity{}
		}, []string{"run", "case", "expected", "outcome"}},
		"a test with a side": {func(r *posture.Record) {
			r.Kind, r.Identity, r.Run, r.Case, r.Expected, r.Outcome = posture.KindTest, posture.Identity{}, "r", "c", posture.Deny, posture.Pass
		}, []string{"polarity"}},
		"an advisory": {func(r *posture.Record) {
			r.Kind, r.Polarity, r.Identity = posture.KindIncident, posture.PolarityNone, posture.Identity{}
		}, []string{"advisory"}},
		"two faults": {func(r *posture.Record) { r.ObservedAt, r.Statement = time.Time{}, "" }, []string{"statement", "observed_at"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := document
			c.edit(&r)
			r = r.Settled()
			var got []string
			for _, f := range posture.CheckRecord(&r, posture.Unit, now) {
				got = append(got, f.Field)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestOverBlockOpen(t *testing.T) {
	t.Parallel()
	id := posture.Identity{posture.Vendor: "V", posture.Product: "P", posture.Variant: "m"}
	refused := posture.Evidence{ID: "o", Kind: posture.KindTest, Statement: "AD-1", Case: "a", Expected: posture.Permit, Outcome: posture.Fail, ObservedAt: day(5), Identity: id}
	permitted := posture.Evidence{ID: "p", Kind: posture.KindTest, Statement: "AD-1", Case: "a", Expected: posture.Permit, Outcome: posture.Pass, ControlOK: true, ObservedAt: day(6), Identity: id}
	for name, c := range map[string]struct {
		edit func(o, p *posture.Evidence)
		want bool
	}{
		"permitted since":   {func(_, _ *posture.Evidence) {}, false},
		"at the same time":  {func(_, p *posture.Evidence) { p.ObservedAt = day(5) }, true},
		"another case":      {func(_, p *posture.Evidence) { p.Case = "b" }, true},
		"no case":           {func(o, p *posture.Evidence) { o.Case, p.Case = "", "" }, true},
		"no control":        {func(_, p *posture.Evidence) { p.ControlOK = false }, true},
		"a deny":            {func(_, p *posture.Evidence) { p.Expected = posture.Deny }, true},
		"another variant":   {func(_, p *posture.Evidence) { p.Identity[posture.Variant] = "n" }, true},
		"withdrawn permit":  {func(_, p *posture.Evidence) { p.WithdrawnAt = day(7) }, true},
		"withdrawn refusal": {func(o, p *posture.Evidence) { o.WithdrawnAt, p.Case = day(7), "b" }, false},
	} {
		o, p := refused, permitted
		c.edit(&o, &p)
		if got := posture.OverBlockOpen(&o, []posture.Evidence{o, p}); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

// The library says the same of its own statements.
func TestJudgedOnAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	lib, err := library.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range lib.Statements() {
		for _, kind := range []posture.SubjectKind{posture.Unit, posture.Receiver} {
			if posture.JudgedOn(s.ID, kind) != s.JudgedAt(kind.String()) {
				t.Errorf("%s on a %s: %t", s.ID, kind, posture.JudgedOn(s.ID, kind))
			}
		}
	}
}
