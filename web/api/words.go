package api

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"demarc/store/posture"
)

// The words of the model, each with the values it may take.
type (
	// Label is what a statement or a cell shows.
	Label string
	// Rung is how far support has climbed.
	Rung string
	// EvidenceKind is the kind of a record.
	EvidenceKind string
	// Polarity is the side on which a record stands.
	Polarity string
	// Expected is what a case required.
	Expected string
	// Outcome is how a case ended.
	Outcome string
	// Advisory is the status of an incident.
	Advisory string
	// Severity is a level of severity.
	Severity string
	// Stage is how far a runtime is on its way to production.
	Stage string
	// Purpose is whether a boundary is intended.
	Purpose string
	// Wanted is whether a statement is required.
	Wanted string
	// Criticality is a runtime's or component's.
	Criticality string
	// SubjectKind is what is judged.
	SubjectKind string
	// Column is one of the two that never merge.
	Column string
)

// Schema lists the labels.
func (Label) Schema(huma.Registry) *huma.Schema {
	return enum("What is shown: the worst that holds now. The two columns are never summed up in one.", posture.Labels()...)
}

// Schema lists the rungs.
func (Rung) Schema(huma.Registry) *huma.Schema {
	return enum("How far support for a statement has climbed.",
		posture.NotStated, posture.Claimed, posture.Documented, posture.Attested, posture.Configured, posture.Tested)
}

// Schema lists the kinds of evidence.
func (EvidenceKind) Schema(huma.Registry) *huma.Schema {
	return enum("Kind of evidence.", posture.Kinds()...)
}

// Schema lists the sides.
func (Polarity) Schema(huma.Registry) *huma.Schema {
	return enum("On which side a record stands. For tests and incidents it follows from what was seen.",
		posture.PolarityNone, posture.Supports, posture.Contradicts)
}

// Schema lists the sides of a pair.
func (Expected) Schema(huma.Registry) *huma.Schema {
	return enum("What the case required. It is never guessed.", posture.Permit, posture.Deny)
}

// Schema lists the outcomes.
func (Outcome) Schema(huma.Registry) *huma.Schema {
	return enum("How the case ended. All but pass and fail are no evidence.",
		posture.Pass, posture.Fail, posture.OutcomeError, posture.Skipped, posture.Inconclusive, posture.Incomplete)
}

// Schema lists the statuses of an incident.
func (Advisory) Schema(huma.Registry) *huma.Schema {
	return enum("Status of an incident, in the words of OpenVEX.", posture.Affected, posture.UnderInvestigation, posture.Fixed, posture.NotAffected)
}

// Schema lists the severities.
func (Severity) Schema(huma.Registry) *huma.Schema { return enum("Severity.", posture.Severities()...) }

// Schema lists the stages.
func (Stage) Schema(huma.Registry) *huma.Schema { return enum("Stage.", posture.Stages()...) }

// Schema lists the purposes.
func (Purpose) Schema(huma.Registry) *huma.Schema {
	return enum("Whether a boundary is intended here. Undecided reads as not stated.",
		posture.PurposeUndecided, posture.PurposeIntended, posture.PurposeNotIntended)
}

// Schema lists what may be wanted.
func (Wanted) Schema(huma.Registry) *huma.Schema {
	return enum("Whether the statement is required. Undecided counts as required.", posture.Undecided, posture.Intended, posture.NotIntended)
}

// Schema lists the criticalities.
func (Criticality) Schema(huma.Registry) *huma.Schema {
	return enum("Criticality; high shortens some windows.", posture.CriticalityNormal, posture.CriticalityHigh)
}

// Schema lists the kinds of subject.
func (SubjectKind) Schema(huma.Registry) *huma.Schema {
	return enum("What is judged: the isolation unit of a runtime, or a receiving component.", posture.Unit, posture.Receiver)
}

// Schema lists the two columns.
func (Column) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Enum: []any{"execution", "receivers"},
		Description: "Execution isolation, or authorisation at the receivers.",
	}
}

// enum is the schema of a word with the stored names that it may take.
func enum[T fmt.Stringer](about string, values ...T) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: about}
	for _, v := range values {
		s.Enum = append(s.Enum, v.String())
	}
	return s
}

// optional gives a word as JSON carries it: nothing where there is none.
func optional[T ~string](v fmt.Stringer) *T {
	s := T(v.String())
	if s == "" {
		return nil
	}
	return &s
}

// word reads a word that may be left out: its zero value then. The schema has
// refused what is none of its values.
func word[S ~string, T any](s *S, parse func(string) (T, error)) (T, error) {
	var zero T
	if s == nil {
		return zero, nil
	}
	return parse(string(*s))
}
