package posture

import (
	"fmt"
	"strings"
)

// Rung is how far support for a statement has climbed (model.md §2.3).
type Rung uint8

// The rungs in rising order. Their names are also the labels of the states
// that carry them.
const (
	NotStated Rung = iota
	Claimed
	Documented
	Attested
	Configured
	Tested
)

var rungNames = [...]string{"not_stated", "claimed", "documented", "attested", "configured", "tested"}

// String gives the stored name, such as "not_stated".
func (r Rung) String() string { return rungNames[r] }

// Words gives the rung as a page writes it: "not stated".
func (r Rung) Words() string { return strings.ReplaceAll(r.String(), "_", " ") }

// ParseRung reads a stored name; an unknown one is an error that names it.
func ParseRung(s string) (Rung, error) {
	i, err := parseName("rung", rungNames[:], s)
	return Rung(i), err
}

// Label is what a cell or a statement shows: one of twelve words
// (model.md §2.8). The six lowest values after the negatives are the rungs.
type Label uint8

// The labels, worst first: the order of the cell roll-up (model.md §2.8).
// NotApplicable stands outside the order and is last.
const (
	LabelContradicted Label = iota
	LabelNotProvided
	LabelSuspect
	LabelAcceptedRisk
	LabelNotStated
	LabelStale
	LabelClaimed
	LabelDocumented
	LabelAttested
	LabelConfigured
	LabelTested
	LabelNotApplicable
)

var labelNames = [...]string{
	"contradicted", "not_provided", "suspect", "accepted_risk", "not_stated", "stale",
	"claimed", "documented", "attested", "configured", "tested", "not_applicable",
}

// Labels lists all twelve, worst first, not applicable last.
func Labels() []Label {
	all := make([]Label, len(labelNames))
	for i := range all {
		all[i] = Label(i)
	}
	return all
}

// String gives the stored name, such as "not_provided".
func (l Label) String() string { return labelNames[l] }

// Words gives the label as a page writes it: "not stated".
func (l Label) Words() string { return strings.ReplaceAll(l.String(), "_", " ") }

// ParseLabel reads a stored name; an unknown one is an error that names it.
func ParseLabel(s string) (Label, error) {
	i, err := parseName("label", labelNames[:], s)
	return Label(i), err
}

// Label gives the label of a bare rung.
func (r Rung) Label() Label {
	if r == NotStated {
		return LabelNotStated
	}
	return LabelClaimed + Label(r-Claimed)
}

// Reading is the word above the twelve labels that groups them for filters,
// sorting and the first look (DESIGN.md §5). It never replaces the label.
type Reading uint8

// The reading words. NoReading is not applicable's: it stands in none.
const (
	NoReading Reading = iota
	Against
	NothingYet
	SupportedSoFar
)

var readingNames = [...]string{"", "against", "nothing yet", "supported so far"}

// String gives the words as a page writes them.
func (r Reading) String() string { return readingNames[r] }

// Reading groups a label.
func (l Label) Reading() Reading {
	switch l {
	case LabelContradicted, LabelNotProvided, LabelSuspect, LabelAcceptedRisk:
		return Against
	case LabelNotStated, LabelStale:
		return NothingYet
	case LabelNotApplicable:
		return NoReading
	default:
		return SupportedSoFar
	}
}

// Kind is the kind of an evidence record (model.md §2.3).
type Kind uint8

// The evidence kinds. The first five are in the order of their rungs.
const (
	KindStatement Kind = iota
	KindDocumentation
	KindAttestation
	KindConfiguration
	KindTest
	KindIncident
)

var kindNames = [...]string{"statement", "documentation", "attestation", "configuration", "test", "incident"}

// Kinds lists the evidence kinds in rising order, incident last.
func Kinds() []Kind {
	return []Kind{KindStatement, KindDocumentation, KindAttestation, KindConfiguration, KindTest, KindIncident}
}

// String gives the stored name.
func (k Kind) String() string { return kindNames[k] }

// ParseKind reads a stored name; an unknown one is an error that names it.
func ParseKind(s string) (Kind, error) {
	i, err := parseName("kind", kindNames[:], s)
	return Kind(i), err
}

// Rung is the rung that support of this kind lifts to; an incident lifts none.
func (k Kind) Rung() Rung {
	if k == KindIncident {
		return NotStated
	}
	return Rung(k) + Claimed
}

// Polarity is on which side a record stands. For tests and incidents it is
// derived, never typed in (model.md §2.2).
type Polarity uint8

// The polarities.
const (
	PolarityNone Polarity = iota
	Supports
	Contradicts
)

var polarityNames = [...]string{"none", "supports", "contradicts"}

// String gives the stored name.
func (p Polarity) String() string { return polarityNames[p] }

// ParsePolarity reads a stored name; an unknown one is an error that names it.
func ParsePolarity(s string) (Polarity, error) {
	i, err := parseName("polarity", polarityNames[:], s)
	return Polarity(i), err
}

// Expected is what a test case required: permit or deny.
type Expected uint8

// The sides of a pair. ExpectedUnknown is no evidence: it is never guessed.
const (
	ExpectedUnknown Expected = iota
	Permit
	Deny
)

var expectedNames = [...]string{"", "permit", "deny"}

// String gives the stored name, empty when unknown.
func (e Expected) String() string { return expectedNames[e] }

// ParseExpected reads "permit", "deny" or the empty string.
func ParseExpected(s string) (Expected, error) {
	i, err := parseName("expected", expectedNames[:], s)
	return Expected(i), err
}

// Outcome is what a result file says of one case, counted as it says
// (DESIGN.md §13). All but pass and fail are no evidence to the judge.
type Outcome uint8

// The outcomes. OutcomeUnknown is the zero value of a record that is no test.
const (
	OutcomeUnknown Outcome = iota
	Pass
	Fail
	OutcomeError
	Skipped
	Inconclusive
	Incomplete
)

var outcomeNames = [...]string{"", "pass", "fail", "error", "skipped", "inconclusive", "incomplete"}

// String gives the stored name, empty when unknown.
func (o Outcome) String() string { return outcomeNames[o] }

// ParseOutcome reads a stored name; an unknown one is an error that names it.
func ParseOutcome(s string) (Outcome, error) {
	i, err := parseName("outcome", outcomeNames[:], s)
	return Outcome(i), err
}

// Advisory is the status of an incident record (OpenVEX words, model.md §1.2).
type Advisory uint8

// The advisory statuses. AdvisoryNone is the zero value of other kinds.
const (
	AdvisoryNone Advisory = iota
	Affected
	UnderInvestigation
	Fixed
	NotAffected
)

var advisoryNames = [...]string{"", "affected", "under_investigation", "fixed", "not_affected"}

// String gives the stored name, empty when none.
func (a Advisory) String() string { return advisoryNames[a] }

// ParseAdvisory reads a stored name; an unknown one is an error that names it.
func ParseAdvisory(s string) (Advisory, error) {
	i, err := parseName("advisory", advisoryNames[:], s)
	return Advisory(i), err
}

// SubjectKind is what is judged: a runtime's isolation unit or a receiving
// component (model.md §2.1).
type SubjectKind uint8

// The subject kinds.
const (
	Unit SubjectKind = iota
	Receiver
)

var subjectKindNames = [...]string{"unit", "receiver"}

// String gives the stored name.
func (k SubjectKind) String() string { return subjectKindNames[k] }

// ParseSubjectKind reads "unit" or "receiver".
func ParseSubjectKind(s string) (SubjectKind, error) {
	i, err := parseName("subject", subjectKindNames[:], s)
	return SubjectKind(i), err
}

// Criticality is a runtime's or component's; high shortens some windows
// (model.md §2.5).
type Criticality uint8

// The criticalities.
const (
	CriticalityNormal Criticality = iota
	CriticalityHigh
)

var criticalityNames = [...]string{"normal", "high"}

// String gives the stored name.
func (c Criticality) String() string { return criticalityNames[c] }

// ParseCriticality reads "normal" or "high".
func ParseCriticality(s string) (Criticality, error) {
	i, err := parseName("criticality", criticalityNames[:], s)
	return Criticality(i), err
}

// ClosureKind is why a negative no longer counts (model.md §2.7).
type ClosureKind uint8

// The closure kinds.
const (
	FixedVerified ClosureKind = iota
	ClosureNotApplicable
	TestInvalid
)

var closureKindNames = [...]string{"fixed_verified", "not_applicable", "test_invalid"}

// String gives the stored name.
func (k ClosureKind) String() string { return closureKindNames[k] }

// ParseClosureKind reads a stored name; an unknown one is an error that names it.
func ParseClosureKind(s string) (ClosureKind, error) {
	i, err := parseName("closure kind", closureKindNames[:], s)
	return ClosureKind(i), err
}

func parseName(what string, names []string, s string) (int, error) {
	for i, n := range names {
		if n == s {
			return i, nil
		}
	}
	return 0, fmt.Errorf("unknown %s %q", what, s)
}
