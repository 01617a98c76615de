package junit

import (
	"slices"
	"strings"
	"time"

	"demarc/store/posture"
)

// prefix begins every property that this reader understands.
const prefix = "demarc."

// receiverPrefix begins the facets of the component named by demarc.receiver.
const receiverPrefix = prefix + "receiver."

// Properties lists the names that a report may use, on a testcase, on a
// testsuite for all below it, or on testsuites for the whole file; the nearest
// wins. The facets (demarc.vendor to demarc.environment) are those of the
// isolation unit, demarc.receiver.vendor to demarc.receiver.environment those
// of the component that demarc.receiver names.
//
// demarc.expected is permit or deny and is required where demarc.statement is
// given; a property named just "expected" with one of these values does too.
// demarc.control_before and demarc.control_after are yes or no.
// demarc.outcome is pass, fail, error, skipped, inconclusive or incomplete, and
// cannot turn a failure or error of the report into a pass.
func Properties() []string {
	names := []string{
		"statement", "scenario", "run", "case", "path", "direction", "expected", "outcome",
		"control_before", "control_after", "observed_behaviour", "refusal_origin", "tester",
		"receiver", "runtime", "observed_at",
	}
	for _, f := range posture.Facets() {
		names = append(names, f.String(), strings.TrimPrefix(receiverPrefix, prefix)+f.String())
	}
	for i := range names {
		names[i] = prefix + names[i]
	}
	slices.Sort(names)
	return names
}

// settings are what the properties in force say of a case.
type settings struct {
	statement, scenario, run, kase, path, direction string
	behaviour, origin, tester, receiver, runtime    string

	expected      posture.Expected
	outcome       posture.Outcome
	before, after control
	// plain is what a property named just "expected" says, as pytest and
	// gotestsum users write it; demarc.expected wins.
	plain posture.Expected

	unit, component posture.Identity

	observed    time.Time
	zoneMissing bool

	// faults are the values that could not be read and are not overruled.
	faults []fault
}

type control uint8

const (
	unsaid control = iota
	yes
	no
)

type fault struct {
	name, text string
	line       int
}

// set takes one property. It says whether the name is known; a value that is
// not becomes a fault, which a nearer value of the same name lifts.
func (s *settings) set(name, value string, line int) (known bool) {
	short := strings.TrimPrefix(name, prefix)
	what, known := "", true
	if text := s.text(short); text != nil {
		*text = value
	} else if facet := s.facet(name); facet != nil {
		if *facet = value; value == posture.RegionAny && strings.HasSuffix(short, "region") {
			what = "is not allowed on a test; name the region it was taken in"
		}
	} else {
		what, known = s.word(short, strings.ToLower(value))
	}
	if !known {
		return false
	}
	faults := make([]fault, 0, len(s.faults)+1) // inherited faults are shared
	for _, f := range s.faults {
		if f.name != name {
			faults = append(faults, f)
		}
	}
	if what != "" {
		faults = append(faults, fault{name: name, text: name + " " + quoted(value) + " " + what, line: line})
	}
	s.faults = faults
	return true
}

func (s *settings) text(short string) *string {
	switch short {
	case "statement":
		return &s.statement
	case "scenario":
		return &s.scenario
	case "run":
		return &s.run
	case "case":
		return &s.kase
	case "path":
		return &s.path
	case "direction":
		return &s.direction
	case "observed_behaviour":
		return &s.behaviour
	case "refusal_origin":
		return &s.origin
	case "tester":
		return &s.tester
	case "receiver":
		return &s.receiver
	case "runtime":
		return &s.runtime
	default:
		return nil
	}
}

func (s *settings) facet(name string) *string {
	id := &s.unit
	short, ofReceiver := strings.CutPrefix(name, receiverPrefix)
	if ofReceiver {
		id = &s.component
	} else {
		short = strings.TrimPrefix(name, prefix)
	}
	f, err := posture.ParseFacet(short)
	if err != nil {
		return nil
	}
	return &id[f]
}

// word takes a property with few allowed values; what says why one is not
// allowed.
func (s *settings) word(short, value string) (what string, known bool) {
	var err error
	switch short {
	case "expected":
		if s.expected, err = posture.ParseExpected(value); err != nil || value == "" {
			what = "is neither permit nor deny"
		}
	case "outcome":
		if s.outcome, err = posture.ParseOutcome(value); err != nil || value == "" {
			what = "is none of pass, fail, error, skipped, inconclusive, incomplete"
		}
	case "control_before":
		what = s.before.parse(value)
	case "control_after":
		what = s.after.parse(value)
	case "observed_at":
		at, zoned, ok := instant(strings.ToUpper(value))
		if !ok || at.IsZero() {
			what = "is not a date or time; write 2026-11-23T09:15:00Z"
		}
		s.observed, s.zoneMissing = at, !zoned
	default:
		return "", false
	}
	return what, true
}

func (c *control) parse(value string) string {
	switch value {
	case "yes":
		*c = yes
	case "no":
		*c = no
	default:
		*c = unsaid
		return "is neither yes nor no"
	}
	return ""
}

// stamp takes the timestamp attribute of an element; ok is false where it is
// there and cannot be read.
func (s *settings) stamp(value string) (ok bool) {
	if value == "" {
		return true
	}
	at, zoned, ok := instant(value)
	if ok && !at.IsZero() {
		s.observed, s.zoneMissing = at, !zoned
	}
	return ok
}

// apply writes the settings on a result.
func (s *settings) apply(r *posture.Result) {
	r.Statement = strings.TrimPrefix(s.statement, "st:")
	r.Scenario = strings.TrimPrefix(s.scenario, "scn:")
	r.Run, r.Case, r.Path, r.Direction = s.run, s.kase, s.path, s.direction
	r.Expected = s.expected
	if r.Expected == posture.ExpectedUnknown {
		r.Expected = s.plain
	}
	r.ControlStated = s.before != unsaid || s.after != unsaid
	r.ControlOK = s.before == yes && s.after == yes
	r.ObservedBehaviour, r.RefusalOrigin, r.Tester = s.behaviour, s.origin, s.tester
	r.Receiver, r.Runtime = s.receiver, s.runtime
	r.ObservedAt, r.ZoneAssumed = s.observed, s.zoneMissing && !s.observed.IsZero()
	r.Identity = s.unit
	if s.receiver != "" {
		r.Identity = s.component
	}
	if r.Statement != "" {
		r.MappedBy = "properties"
	}
}
