package posture_test

import (
	"testing"

	"demarc/store/posture"
)

func TestEffect(t *testing.T) {
	t.Parallel()
	unit := posture.Identity{
		posture.Vendor: "v", posture.Product: "p", posture.Variant: "microVM", posture.Version: "1.14.2",
		posture.Image: "sha256:9f2c41ab", posture.Policy: "sha256:41d86e02", posture.Config: "sha256:c3aa90f7", posture.Region: "eu-central-1",
	}
	search := posture.Identity{
		posture.Vendor: "us", posture.Product: "document-search", posture.Variant: "s", posture.Version: "s4",
		posture.Policy: "sp2", posture.Config: "c1", posture.Region: "eu-central-1",
	}
	with := func(id posture.Identity, f posture.Facet, v string) *posture.Identity {
		id[f] = v
		return &id
	}
	full := func(change func(*posture.Result)) *posture.Result {
		r := &posture.Result{
			Statement: "FS-1", Expected: posture.Deny, Outcome: posture.Pass, ControlOK: true, Case: "XS-01", Run: "r3",
		}
		if change != nil {
			change(r)
		}
		return r
	}
	for _, c := range []struct {
		name          string
		r             *posture.Result
		subject       posture.SubjectKind
		target, taken *posture.Identity
		want          string
	}{
		{"unmapped", &posture.Result{Outcome: posture.Pass}, posture.Unit, &unit, &unit, "kept, listed, never counted"},
		{"half of a pair", full(nil), posture.Unit, &unit, &unit, "counts: half of a pair"},
		{"config drifted", full(nil), posture.Unit, &unit, with(unit, posture.Config, "sha256:b71d004e"), "no effect: config in the file is not the running one"},
		{"two drifted", full(nil), posture.Unit, &unit, with(*with(unit, posture.Config, "sha256:b71d004e"), posture.Version, "1.14.1"), "no effect: version and config in the file are not the running ones"},
		{"image unknown", full(nil), posture.Unit, &unit, with(unit, posture.Image, ""), "no effect: image is not known on both sides"},
		{"model asked for", full(func(r *posture.Result) { r.Statement = "ME-2" }), posture.Unit, &unit, &unit, "no effect: model is not known on both sides"},
		{"no control", full(func(r *posture.Result) { r.ControlOK = false }), posture.Unit, &unit, &unit, "no effect: its control is not proven before and after"},
		{"no case", full(func(r *posture.Result) { r.Case = "" }), posture.Unit, &unit, &unit, "no effect: without a case it is half of no pair"},
		{"permit alone", full(func(r *posture.Result) { r.Statement, r.Expected, r.Case = "LF-4", posture.Permit, "" }), posture.Unit, &unit, &unit, "counts: supports by itself"},
		{"deny of a duty", full(func(r *posture.Result) { r.Statement = "LF-4" }), posture.Unit, &unit, &unit, "no effect: only the permitted side bears on this statement"},
		{"contradicts", full(func(r *posture.Result) { r.Outcome = posture.Fail }), posture.Unit, &unit, &unit, "counts: contradicts, exact identity"},
		{"contradicts at receiver", full(func(r *posture.Result) { r.Statement, r.Outcome = "AD-1", posture.Fail }), posture.Receiver, &search, &search, "counts: contradicts, exact identity at the receiver"},
		{"bad news needs no identity", full(func(r *posture.Result) { r.Outcome = posture.Fail }), posture.Unit, &unit, &posture.Identity{}, "counts: contradicts, though vendor, product, variant, version, image, policy and config are not known on both sides"},
		{"suspect", full(func(r *posture.Result) { r.Outcome = posture.Fail }), posture.Unit, &unit, with(unit, posture.Version, "1.13.0"), "counts: suspect, version in the file is not the running one"},
		{"region never softens", full(func(r *posture.Result) { r.Outcome = posture.Fail }), posture.Unit, &unit, with(unit, posture.Region, "us-east-1"), "counts: contradicts, exact identity"},
		{"another variant", full(func(r *posture.Result) { r.Outcome = posture.Fail }), posture.Unit, &unit, with(unit, posture.Variant, "container"), "no effect: variant in the file is not the running one"},
		{"over-block", full(func(r *posture.Result) { r.Outcome, r.Expected = posture.Fail, posture.Permit }), posture.Unit, &unit, &unit, "counts: over-block, permitted access was refused"},
		{"over-block elsewhere", full(func(r *posture.Result) { r.Outcome, r.Expected = posture.Fail, posture.Permit }), posture.Unit, &unit, with(unit, posture.Policy, "sha256:00"), "no effect: policy in the file is not the running one"},
		{"inconclusive", full(func(r *posture.Result) {
			r.Outcome, r.ObservedBehaviour = posture.Inconclusive, "refused by rate limit"
		}), posture.Unit, &unit, &unit, "no evidence either way: refused by rate limit"},
		{"inconclusive without words", full(func(r *posture.Result) { r.Outcome = posture.Inconclusive }), posture.Unit, &unit, &unit, "no evidence either way: inconclusive"},
		{"skipped", full(func(r *posture.Result) { r.Outcome = posture.Skipped }), posture.Unit, &unit, &unit, "no evidence: not executed"},
		{"incomplete", full(func(r *posture.Result) { r.Outcome = posture.Incomplete }), posture.Unit, &unit, &unit, "no evidence: started and never ended"},
		{"error", full(func(r *posture.Result) { r.Outcome = posture.OutcomeError }), posture.Unit, &unit, &unit, "no evidence either way: the test itself broke"},
		{"unattributed", full(nil), posture.Unit, nil, &unit, "kept: unattributed, reaches no cell"},
		{"receiver missing", full(func(r *posture.Result) { r.Statement = "AD-1" }), posture.Unit, &unit, &unit, "kept: AD-1 is judged at a receiver and none is named"},
		{"receiver named for the unit", full(nil), posture.Receiver, &search, &search, "kept: FS-1 is judged on the isolation unit, not at a receiver"},
		{"expected unknown", full(func(r *posture.Result) { r.Expected = posture.ExpectedUnknown }), posture.Unit, &unit, &unit, "no effect: expected is not stated"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := posture.Effect(c.r, c.subject, c.target, c.taken); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
