package posture

import "slices"

// Role is what a person or token may do (DESIGN.md §13).
type Role uint8

// The six roles.
const (
	Viewer Role = iota
	Editor
	Procurement
	RiskOwner
	Admin
	Auditor
)

var roleNames = [...]string{"viewer", "editor", "procurement", "risk_owner", "admin", "auditor"}

// Roles lists the six roles.
func Roles() []Role { return []Role{Viewer, Editor, Procurement, RiskOwner, Admin, Auditor} }

// String gives the stored name, such as "risk_owner".
func (r Role) String() string { return roleNames[r] }

// ParseRole reads a stored name; an unknown one is an error that names it.
func ParseRole(s string) (Role, error) {
	i, err := parseName("role", roleNames[:], s)
	return Role(i), err
}

// Action is a thing that a role may or may not do.
type Action uint8

// The actions. Reading within one's portfolios needs none.
const (
	// EditInventory: runtimes, components, links, targets, requirements.
	EditInventory Action = iota
	// RecordEvidence: evidence of any kind by hand, withdrawal, imports.
	RecordEvidence
	// RecordClaims: evidence of kind statement, documentation, attestation.
	RecordClaims
	// CloseNegatives: closures and their revocation.
	CloseNegatives
	// RuleOut: not-applicable rulings.
	RuleOut
	// AcceptRisk: acceptances and their revocation.
	AcceptRisk
	// ManagePeople: people, roles, tokens, the sample portfolio.
	ManagePeople
	// ReadAudit: the audit log.
	ReadAudit
)

var allowed = map[Role][]Action{
	Viewer:      nil,
	Editor:      {EditInventory, RecordEvidence, RecordClaims, CloseNegatives, RuleOut},
	Procurement: {RecordClaims},
	RiskOwner:   {CloseNegatives, RuleOut, AcceptRisk},
	Admin:       {EditInventory, RecordEvidence, RecordClaims, CloseNegatives, RuleOut, ManagePeople, ReadAudit},
	Auditor:     {ReadAudit},
}

// Access is who asks, for every store method: a person, a token or the
// operating system's user, with a role and portfolios.
type Access struct {
	// Actor names who acts in the audit log: "person:12", "token:3", "os:root".
	Actor string
	// Person is the id of the person, 0 for a token or an operating-system user.
	Person int64
	Name   string
	Role   Role
	// Portfolios are the ids in reach; AllPortfolios reaches every one.
	Portfolios    []int64
	AllPortfolios bool
	// Request is the request id that lands on every audit row.
	Request string
}

// May says whether the role allows the action.
func (a Access) May(action Action) bool { return slices.Contains(allowed[a.Role], action) }

// Need gives a Forbidden error unless the role allows the action.
func (a Access) Need(action Action) error {
	if a.May(action) {
		return nil
	}
	return &Error{Kind: Forbidden, Text: "Your role (" + a.Role.Words() + ") cannot do this. Ask an administrator for the role that can."}
}

// Words gives the role as a page writes it.
func (r Role) Words() string {
	if r == RiskOwner {
		return "risk owner"
	}
	return r.String()
}
