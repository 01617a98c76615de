package posture

import "time"

// Wanted is whether a statement is required of a subject.
type Wanted uint8

// The answers: intended, not intended because, undecided.
const (
	Undecided Wanted = iota
	Intended
	NotIntended
)

var wantedNames = [...]string{"undecided", "intended", "not_intended"}

// String gives the stored name.
func (w Wanted) String() string { return wantedNames[w] }

// ParseWanted reads a stored name; an unknown one is an error that names it.
func ParseWanted(s string) (Wanted, error) {
	i, err := parseName("answer", wantedNames[:], s)
	return Wanted(i), err
}

// Requirement is one statement asked of one subject, in one version. An
// undecided one counts as required until somebody decides.
type Requirement struct {
	Subject   int64
	Statement string
	Version   int
	From      time.Time
	By        string

	Wanted Wanted
	// Reason is why it is required or why it is not intended.
	Reason string
	// Mechanism names what enforces the boundary; empty is "nobody has said".
	Mechanism     string
	Configuration string
	Rung          Rung
	Owner         string
	// Paths are the case ids of the known enforcement paths.
	Paths []string
}

// Required says whether the statement enters the roll-up.
func (r *Requirement) Required() bool { return r.Wanted != NotIntended }
