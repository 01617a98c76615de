package posture

// Purpose is whether a boundary of a dimension is wanted at all
// (DESIGN.md §13).
type Purpose uint8

// The purposes. Undecided shows as not stated and is on the owner's list.
const (
	PurposeUndecided Purpose = iota
	PurposeIntended
	PurposeNotIntended
)

var purposeNames = [...]string{"undecided", "intended", "not_intended"}

// String gives the stored name.
func (p Purpose) String() string { return purposeNames[p] }

// ParsePurpose reads a stored name; an unknown one is an error that names it.
func ParsePurpose(s string) (Purpose, error) {
	i, err := parseName("purpose", purposeNames[:], s)
	return Purpose(i), err
}

// Cell is a runtime's dimension rolled up: the worst label over its required
// statements, never an average (model.md §2.8).
type Cell struct {
	Dimension string
	Label     Label
	// Outside says that the requirement profile leaves the dimension out.
	Outside bool
	// Tested of Of required statements, ruled-out ones left aside.
	Tested int
	Of     int
}
