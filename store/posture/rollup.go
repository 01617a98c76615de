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

// Judged is one statement of a dimension with its verdict, as the roll-up
// reads it.
type Judged struct {
	Statement string
	Label     Label
	Met       bool
	// Required says whether the statement is required of the subject; others
	// do not enter the cell.
	Required bool
	// Tested says that the rung is tested now and the label says so.
	Tested bool
}

// Cell is one dimension of one runtime: the worst label of its required
// statements and how many of them are tested (model.md §2.8).
type Cell struct {
	Dimension string
	// Label is not stated where Outside is true.
	Label Label
	// Outside reads "outside the profile": nothing is required here, and the
	// profile or the purpose says so.
	Outside bool
	// Tested of Of required statements that are not ruled out.
	Tested, Of int
}

// RollUp gives the cell of a dimension (model.md §2.8). Without a required
// statement it is outside the profile when the purpose is not intended, or is
// undecided and the profile leaves the dimension out; an intended dimension
// that nobody has put into a statement is not stated.
func RollUp(dimension string, purpose Purpose, inProfile bool, judged []Judged) Cell {
	cell := Cell{Dimension: dimension, Label: LabelNotApplicable}
	required := false
	for i := range judged {
		j := &judged[i]
		if !j.Required {
			continue
		}
		required = true
		if j.Label == LabelNotApplicable {
			continue
		}
		cell.Of++
		if j.Tested {
			cell.Tested++
		}
		cell.Label = min(cell.Label, j.Label)
	}
	if !required {
		cell.Label = LabelNotStated
		cell.Outside = purpose == PurposeNotIntended || (purpose == PurposeUndecided && !inProfile)
	}
	return cell
}
