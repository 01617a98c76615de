package posture_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/store/posture"
)

var running = posture.Identity{
	posture.Vendor: "V", posture.Product: "P", posture.Variant: "m", posture.Version: "1.14.2", posture.Image: "sha256:9f2c41ab99",
	posture.Policy: "sha256:41d86e0200", posture.Config: "sha256:c3aa90f700", posture.Region: "eu",
}

func tally(statement string, expected posture.Expected, outcome posture.Outcome, count int, edit ...func(*posture.Tally)) posture.Tally {
	t := posture.Tally{Statement: statement, Expected: expected, Outcome: outcome, Control: true, Count: count, Taken: running, Target: running}
	t.Subject = posture.SubjectRef{ID: 1, Slug: "case-assistant"}
	if statement == "AD-1" {
		t.Subject = posture.SubjectRef{ID: 2, Kind: posture.Receiver, Slug: "document-search"}
	}
	for _, e := range edit {
		e(&t)
	}
	return t
}

func taken(facet posture.Facet, value string) func(*posture.Tally) {
	return func(t *posture.Tally) { t.Taken[facet] = value }
}

func toward(directions ...string) func(*posture.Tally) {
	return func(t *posture.Tally) { t.Directions = directions }
}

func unproven(t *posture.Tally) { t.Control = false }

func TestProvedAndNotProved(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in             []posture.Tally
		proved, proves []string
	}{
		"nothing": {nil, nil, nil},
		"a pair": {
			[]posture.Tally{tally("FS-1", posture.Permit, posture.Pass, 1), tally("FS-1", posture.Deny, posture.Pass, 2)},
			[]string{"1 permitted request behaved as required (FS-1)", "2 refusals behaved as required, on the exact version 1.14.2, policy sha256:41d86e02… (FS-1)"},
			nil,
		},
		"failures are summed": {
			[]posture.Tally{tally("AD-1", posture.Deny, posture.Fail, 1), tally("AD-1", posture.Deny, posture.Fail, 1, unproven)},
			[]string{"2 refusals that should have happened did not, on the exact release 1.14.2, policy sha256:41d86e02… (AD-1 at document-search)"},
			nil,
		},
		"a failure elsewhere in the configuration": {
			[]posture.Tally{tally("FS-1", posture.Deny, posture.Fail, 1, taken(posture.Config, "sha256:b71d004e00"))},
			[]string{"1 refusal that should have happened did not, config sha256:b71d004e… is not running (FS-1)"},
			nil,
		},
		"passes on another configuration": {
			[]posture.Tally{
				tally("FS-1", posture.Permit, posture.Pass, 1, taken(posture.Config, "sha256:b71d004e00")),
				tally("FS-1", posture.Deny, posture.Pass, 1, taken(posture.Config, "sha256:b71d004e00")),
			},
			nil,
			[]string{"Nothing for FS-1: config sha256:b71d004e… is not running"},
		},
		"another variant": {
			[]posture.Tally{tally("FS-1", posture.Deny, posture.Fail, 1, taken(posture.Variant, "n"))},
			nil,
			[]string{"Nothing for FS-1: taken on another variant"},
		},
		"not said": {
			[]posture.Tally{tally("FS-1", posture.Deny, posture.Pass, 1, taken(posture.Image, ""), taken(posture.Region, ""))},
			nil,
			[]string{"Nothing for FS-1: the file does not say its image and region"},
		},
		"no control": {
			[]posture.Tally{tally("FS-1", posture.Deny, posture.Pass, 1, unproven)},
			[]string{},
			[]string{"Nothing for FS-1: the control was not proven"},
		},
		"no evidence": {
			[]posture.Tally{tally("LF-2", posture.Deny, posture.Skipped, 1), tally("NW-1", posture.Deny, posture.Inconclusive, 3), tally("NW-1", posture.Deny, posture.Skipped, 1)},
			nil,
			[]string{"Nothing for LF-2 or NW-1: inconclusive and skipped are no evidence either way"},
		},
		"half": {
			[]posture.Tally{tally("FS-1", posture.Deny, posture.Pass, 1)},
			[]string{"1 refusal behaved as required, on the exact version 1.14.2, policy sha256:41d86e02… (FS-1)"},
			[]string{"Nothing for FS-1: a passing deny is half of a pair, and no passing permit stands beside it"},
		},
		"the duty needs no deny": {
			[]posture.Tally{tally("LF-4", posture.Permit, posture.Pass, 1)},
			[]string{"1 permitted request behaved as required (LF-4)"},
			nil,
		},
		"one direction": {
			[]posture.Tally{
				tally("AD-1", posture.Deny, posture.Fail, 1, toward("Acme → Birch", "C->D")), tally("AD-1", posture.Permit, posture.Fail, 1, toward("D->C", "x")),
			},
			[]string{
				"1 refusal that should have happened did not, on the exact release 1.14.2, policy sha256:41d86e02… (AD-1 at document-search)",
				"1 permitted request was refused (AD-1 at document-search)",
			},
			[]string{"Birch → Acme was not in the file"},
		},
	} {
		if got := posture.Proved(c.in); !slices.Equal(got, c.proved) {
			t.Errorf("%s: proved (-want +got):\n%s", name, cmp.Diff(c.proved, got))
		}
		if got := posture.NotProved(c.in); !slices.Equal(got, c.proves) {
			t.Errorf("%s: not proved (-want +got):\n%s", name, cmp.Diff(c.proves, got))
		}
	}
}

func TestWhyUnmoved(t *testing.T) {
	t.Parallel()
	at := day(300)
	base := posture.Evidence{
		ID: "E-0001", Kind: posture.KindTest, Statement: "FS-1", Expected: posture.Deny, Outcome: posture.Pass, ControlOK: true, Identity: running, ObservedAt: day(299),
	}
	document := posture.Evidence{ID: "E-0001", Kind: posture.KindDocumentation, Statement: "FS-1", Polarity: posture.Supports, Identity: running, ObservedAt: day(299)}
	for name, c := range map[string]struct {
		e    posture.Evidence
		edit func(e *posture.Evidence)
		v    posture.Verdict
		want string
	}{
		"tested before": {base, func(*posture.Evidence) {}, posture.Verdict{State: posture.LabelTested, Rung: posture.Tested}, "it was tested before"},
		"half":          {base, func(*posture.Evidence) {}, posture.Verdict{}, "a passing deny is half of a pair"},
		"held back":     {base, func(*posture.Evidence) {}, posture.Verdict{Hard: []string{"E-0009"}}, "E-0009 is open against it"},
		"errored":       {base, func(e *posture.Evidence) { e.Outcome = posture.OutcomeError }, posture.Verdict{}, "error is no evidence either way"},
		"no control":    {base, func(e *posture.Evidence) { e.ControlOK = false }, posture.Verdict{}, "the control in the file was not proven"},
		"drifted":       {base, func(e *posture.Evidence) { e.Identity[posture.Config] = "sha256:00" }, posture.Verdict{}, "config in the file is not the running one"},
		"unknown":       {base, func(e *posture.Evidence) { e.Identity[posture.Config] = "" }, posture.Verdict{}, "config is not known on both sides"},
		"elsewhere":     {base, func(e *posture.Evidence) { e.Identity[posture.Vendor] = "W" }, posture.Verdict{}, "vendor in the file is not the running one, and evidence never travels"},
		"too old":       {base, func(e *posture.Evidence) { e.ObservedAt = day(1) }, posture.Verdict{}, "what was seen on 2 Jan 1970 is past its window"},
		"again against": {base, func(e *posture.Evidence) { e.Outcome = posture.Fail }, posture.Verdict{State: posture.LabelContradicted, Hard: []string{"E-0001"}}, "it was contradicted before"},
		"refused":       {base, func(e *posture.Evidence) { e.Expected, e.Outcome = posture.Permit, posture.Fail }, posture.Verdict{State: posture.LabelStale}, "it was stale before"},
		"any region":    {document, func(e *posture.Evidence) { e.Identity[posture.Region] = "any" }, posture.Verdict{State: posture.LabelConfigured, Rung: posture.Configured}, "it was configured before"},
		"neither side":  {document, func(e *posture.Evidence) { e.Polarity = posture.PolarityNone }, posture.Verdict{}, "it stands on neither side"},
	} {
		e := c.e
		c.edit(&e)
		f := posture.Facts{Statement: "FS-1", Target: running}
		if got := posture.WhyUnmoved(&f, &c.v, []posture.Evidence{e, e}, "the file", at); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestHolds(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]posture.Verdict{
		"FS-1 stays contradicted: E-0001 and E-0002 are open against it": {Label: posture.LabelContradicted, Hard: []string{"E-0001"}, Soft: []string{"E-0002"}},
		"FS-1 stays accepted risk, carried by A-0007":                    {Label: posture.LabelAcceptedRisk, Hard: []string{"E-0001"}, Acceptance: "A-0007"},
		"FS-1 stays stale: support aged past its window":                 {Label: posture.LabelStale, Lapsed: posture.LapsedExpired},
		"FS-1 stays not stated":                                          {Label: posture.LabelNotStated},
	} {
		if got := posture.Holds("FS-1", &v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
