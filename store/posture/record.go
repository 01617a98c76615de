package posture

import "time"

// Record is an evidence row whole: what the judge reads and what people read.
type Record struct {
	Evidence

	Row        int64
	Subject    SubjectRef
	RecordedBy string
	// SourceRole is vendor, customer or independent; SourceName says who.
	SourceRole string
	SourceName string
	// Method is examine, interview or test.
	Method string
	Title  string
	// Words are what was said or seen, in the recorder's own words.
	Words string
	// URL is the address of the thing seen; Artefact its digest where bytes
	// were kept.
	URL      string
	Artefact string
	// ObservedBehaviour, RefusalOrigin, Path, Direction and Tester belong to a
	// test.
	ObservedBehaviour string
	RefusalOrigin     string
	Path              string
	Direction         string
	Tester            string
	// ImportRun is the id of the run that brought it, 0 when recorded by hand.
	ImportRun int64
	// WithdrawnBecause is the reason of a withdrawal.
	WithdrawnBecause string
	// SupersededBy is the id of a newer capture of the same address, empty for
	// none; WithdrawnAt is then no later than that capture's recorded instant.
	SupersededBy string
	// Claim is the catalogue claim that the record was made from, if any.
	Claim string
}

// SourceRoles are who speaks in a record (model.md §2.2).
func SourceRoles() []string { return []string{"vendor", "customer", "independent"} }

// Methods are NIST's three assessment methods (model.md §1.2).
func Methods() []string { return []string{"examine", "interview", "test"} }

// Justifications are the codes of a not-applicable closure (model.md §2.7).
func Justifications() []string {
	return []string{"component_absent", "path_unreachable", "precondition_cannot_hold", "blocked_by_built_in"}
}

// ClosureRecord is a closure whole.
type ClosureRecord struct {
	Closure
	Row           int64
	Subject       SubjectRef
	By            string
	ByName        string
	Justification string
	Text          string
	Fix           string
}

// AcceptanceRecord is an acceptance whole.
type AcceptanceRecord struct {
	Acceptance
	Row       int64
	Subject   SubjectRef
	By        string
	ByName    string
	Condition string
	Severity  Severity
	ReviewAt  time.Time
}

// RulingRecord is a not-applicable ruling whole.
type RulingRecord struct {
	Ruling
	Row     int64
	Subject SubjectRef
	By      string
	ByName  string
	Reason  string
}

// Severity is a level of SP 800-30 (model.md §2.12).
type Severity uint8

// The severities in rising order.
const (
	VeryLow Severity = iota
	Low
	Moderate
	High
	VeryHigh
)

var severityNames = [...]string{"very_low", "low", "moderate", "high", "very_high"}

// Severities lists the severities in rising order.
func Severities() []Severity { return []Severity{VeryLow, Low, Moderate, High, VeryHigh} }

// String gives the stored name.
func (s Severity) String() string { return severityNames[s] }

// Words gives the severity as a page writes it.
func (s Severity) Words() string {
	return [...]string{"very low", "low", "moderate", "high", "very high"}[s]
}

// ParseSeverity reads a stored name; an unknown one is an error that names it.
func ParseSeverity(s string) (Severity, error) {
	i, err := parseName("severity", severityNames[:], s)
	return Severity(i), err
}

// AcceptanceCap is the longest time for which a risk of this severity may be
// accepted (model.md §2.8).
func (s Severity) AcceptanceCap() time.Duration {
	return [...]time.Duration{365 * Day, 365 * Day, 180 * Day, 90 * Day, 30 * Day}[s]
}

// DueIn is the time in which a discrepancy of this severity is due
// (model.md §2.12).
func (s Severity) DueIn() time.Duration {
	return [...]time.Duration{180 * Day, 180 * Day, 90 * Day, 30 * Day, 7 * Day}[s]
}
