package posture

import "time"

// SubjectRef names what is judged and where its page is.
type SubjectRef struct {
	ID   int64
	Kind SubjectKind
	// Slug and Name are the runtime's for a unit, the component's for a receiver.
	Slug string
	Name string
}

// Target is one identity of a subject. Targets are append-only: a change is a
// new row.
type Target struct {
	ID         int64
	Subject    int64
	Identity   Identity
	RecordedAt time.Time
	RecordedBy string
	// Reason says what changed, in the words of the person or tool.
	Reason string
}

// Staleness is what a new target would do to one statement, shown before it
// is saved.
type Staleness struct {
	Subject   SubjectRef
	Statement string
	Before    Verdict
	After     Verdict
	// Moved are the facets that make the difference.
	Moved []Facet
}
