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

// DiscrepancyFilter narrows a list of discrepancies; zero fields do not.
type DiscrepancyFilter struct {
	// Kind is boundary_failed or evidence_missing; empty is boundary_failed.
	Kind string
	// Open keeps those that are open, or those that are not; nil keeps both.
	Open    *bool
	Subject int64
	Runtime string // slug: its unit and its receivers
	Owner   string // owner or risk owner
	// Before is the keyset: rows with a smaller id.
	Before int64
	Limit  int
}

// The kinds of discrepancy. They are never mixed in one list.
const (
	BoundaryFailed  = "boundary_failed"
	EvidenceMissing = "evidence_missing"
)

// StateShown gives the state that a discrepancy reads as: closed while none of
// its sightings is open, its deviation approved while an acceptance carries
// the verdict, else as it was last set (model.md §2.12).
func StateShown(stored string, open bool, label Label) string {
	switch {
	case !open:
		return "closed"
	case label == LabelAcceptedRisk:
		return "deviation_approved"
	default:
		return stored
	}
}

// OverBlockOpen says whether a refusal of permitted access still stands: until
// the same case was permitted later, with a working control, on the same
// vendor, product and variant. records are all of the statement and subject.
func OverBlockOpen(e *Evidence, records []Evidence) bool {
	if !e.WithdrawnAt.IsZero() {
		return false
	}
	for i := range records {
		p := &records[i]
		later := p.passes(Permit) && p.WithdrawnAt.IsZero() && p.Statement == e.Statement && p.ObservedAt.After(e.ObservedAt)
		if later && p.Case == e.Case && p.Case != "" && Compare(&p.Identity, &e.Identity, scopeFacets) != Drifted {
			return false
		}
	}
	return true
}
