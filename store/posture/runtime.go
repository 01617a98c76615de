package posture

import "time"

// Stage is how far a runtime is on its way to production.
type Stage uint8

// The stages.
const (
	StageDesign Stage = iota
	StageEvaluation
	StageInUse
	StageProduction
)

var stageNames = [...]string{"design", "evaluation", "in_use", "production"}

// Stages lists the stages in order.
func Stages() []Stage { return []Stage{StageDesign, StageEvaluation, StageInUse, StageProduction} }

// String gives the stored name.
func (s Stage) String() string { return stageNames[s] }

// Words gives the stage as a page writes it.
func (s Stage) Words() string {
	if s == StageInUse {
		return "in use"
	}
	return s.String()
}

// ParseStage reads a stored name; an unknown one is an error that names it.
func ParseStage(s string) (Stage, error) {
	i, err := parseName("stage", stageNames[:], s)
	return Stage(i), err
}

// DataClasses are the sensitivities of what a runtime or component handles, in
// rising order (model.md §3.1).
func DataClasses() []string {
	return []string{"public", "synthetic", "internal", "confidential", "restricted"}
}

// Intent is what is wanted of one dimension: intended, not intended with a
// reason, or undecided (DESIGN.md §13).
type Intent struct {
	Purpose Purpose
	// Text says kept from whom, by what; or why it is not intended.
	Text string
}

// Runtime is a deployment that an organisation runs or considers
// (DESIGN.md §3), in one version.
type Runtime struct {
	ID        int64
	Subject   int64
	Slug      string
	Portfolio int64
	Version   int
	From      time.Time
	By        string

	Name        string
	Purpose     string
	Intents     map[string]Intent // by dimension code
	Stage       Stage
	Owner       string
	RiskOwner   string
	DataClass   string
	Criticality Criticality
	MultiTenant bool
	Profile     string
	Retired     bool
	// RetiredBecause is asked when a runtime is retired.
	RetiredBecause string

	// Target is the identity in force.
	Target Target
}

// Component is a node of the data path that sessions reach: a receiver
// (DESIGN.md §13), in one version.
type Component struct {
	ID        int64
	Subject   int64
	Slug      string
	Portfolio int64
	Version   int
	From      time.Time
	By        string

	Kind        string
	Name        string
	Purpose     string
	Owner       string
	RiskOwner   string
	DataClass   string
	Criticality Criticality
	Shared      bool
	Retired     bool

	Target Target
}

// ComponentKinds are the kinds of a shared dependency.
func ComponentKinds() []string {
	return []string{"gateway", "model_provider", "retrieval", "identity", "management", "storage", "logging", "tool_server", "egress", "other"}
}

// Link says that sessions of a runtime use a receiver.
type Link struct {
	Runtime   SubjectRef
	Component SubjectRef
	Kind      string
	Owner     string
	From      time.Time
}
