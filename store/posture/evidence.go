package posture

import "time"

// Evidence is one recorded observation that bears on a boundary statement, as
// the judge reads it (model.md §2.2). Zero instants are absent ones.
type Evidence struct {
	ID        string
	Kind      Kind
	Statement string
	Identity  Identity

	// ObservedAt is when the fact was true; age counts from it.
	ObservedAt time.Time
	// RecordedAt is when we learned it; never before ObservedAt.
	RecordedAt time.Time
	// ValidUntil may only shorten the window of the kind.
	ValidUntil time.Time
	// WithdrawnAt is when the record was withdrawn or superseded by a newer
	// capture of the same address.
	WithdrawnAt time.Time

	// Polarity counts for the first four kinds only.
	Polarity Polarity
	// ByHand is said of a configuration; by tool is the default.
	ByHand bool
	// PreGA is said of documentation of a feature before general availability.
	PreGA bool

	// Run, Case, Expected, Outcome and ControlOK belong to a test.
	Run       string
	Case      string
	Expected  Expected
	Outcome   Outcome
	ControlOK bool

	// Advisory belongs to an incident.
	Advisory Advisory
}

// Closure says why a negative no longer counts (model.md §2.7).
type Closure struct {
	ID        string
	Closes    string
	Kind      ClosureKind
	Identity  Identity
	At        time.Time
	RevokedAt time.Time
	// Evidence names the re-verifying tests of a fixed_verified closure.
	Evidence []string
}

// Acceptance is a risk owner's time-limited decision to carry named
// negatives, or a shortfall, on one configuration (model.md §2.8).
type Acceptance struct {
	ID        string
	Statement string
	Covers    []string
	Shortfall bool
	Identity  Identity
	At        time.Time
	ExpiresAt time.Time
	RevokedAt time.Time
}

// Ruling says that a statement does not apply to one configuration
// (model.md §2.8). It is valid on [At, ExpiresAt).
type Ruling struct {
	ID        string
	Statement string
	Identity  Identity
	At        time.Time
	ExpiresAt time.Time
}

// Facts are all that the judge reads for one statement on one target.
type Facts struct {
	Statement   string
	Subject     SubjectKind
	Criticality Criticality
	Target      Identity
	// Required is the rung at which the statement is met.
	Required Rung
	// Paths are the case ids of the known enforcement paths; empty means one
	// pair is enough.
	Paths       []string
	Evidence    []Evidence
	Closures    []Closure
	Acceptances []Acceptance
	Rulings     []Ruling
	// Windows are the freshness windows in force; nil means DefaultWindows.
	Windows *Windows
}

// VisibleAt says whether the record counts at instant t on what was known by k
// (model.md §2.8).
func (e *Evidence) VisibleAt(k, t time.Time) bool {
	return !e.ObservedAt.After(e.RecordedAt) && !e.RecordedAt.After(k) && !e.ObservedAt.After(t) &&
		(e.WithdrawnAt.IsZero() || e.WithdrawnAt.After(k))
}

// Negative says whether the record is contradicting or suspect evidence by
// itself, before scope and closures (model.md §2.7).
func (e *Evidence) Negative() bool {
	switch e.Kind {
	case KindTest:
		return e.Expected == Deny && e.Outcome == Fail
	case KindIncident:
		return e.Advisory == Affected || e.Advisory == UnderInvestigation
	default:
		return e.Polarity == Contradicts
	}
}

// Supporting says whether the record can support a statement by itself or as
// half of a pair, before scope, age and identity (model.md §2.3, §2.6).
func (e *Evidence) Supporting() bool {
	switch e.Kind {
	case KindTest:
		return e.passes(Permit) || e.passes(Deny)
	case KindIncident:
		return false
	default:
		return e.Polarity == Supports
	}
}

// OverBlock says whether the record is a permit that was refused.
func (e *Evidence) OverBlock() bool {
	return e.Kind == KindTest && e.Expected == Permit && e.Outcome == Fail
}

func (e *Evidence) passes(side Expected) bool {
	return e.Kind == KindTest && e.Expected == side && e.Outcome == Pass && e.ControlOK
}
