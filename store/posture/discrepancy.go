package posture

import "time"

// Discrepancy is a difference between what a statement requires and what
// evidence shows. Its identity is (subject, variant, statement, case, path,
// direction): a deploy makes no new item (DESIGN.md §13).
type Discrepancy struct {
	ID        int64
	Subject   SubjectRef
	Variant   string
	Statement string
	Case      string
	Path      string
	Direction string
	// Kind is boundary_failed or evidence_missing; the two are never mixed.
	Kind  string
	State string
	// Owner owns the receiver or unit; RiskOwner decides on the risk.
	Owner     string
	RiskOwner string
	Severity  Severity
	Initial   Severity
	DueAt     time.Time
	OpenedAt  time.Time
	Expected  string
	Seen      string
	// Open says whether any sighting's evidence is still an open negative.
	Open      bool
	Label     Label
	Sightings []Sighting
}

// Sighting is one record that shows a discrepancy, with the target it was
// seen on.
type Sighting struct {
	Evidence   string
	Row        int64
	SeenAt     time.Time
	RecordedAt time.Time
	Identity   Identity
	Words      string
}
