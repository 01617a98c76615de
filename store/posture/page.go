package posture

import "time"

// AsOf is the instant that a page is read at. The zero value is now.
type AsOf struct {
	// At is the instant judged; what was known by then counts.
	At time.Time
	// Known is the second clock; zero means At.
	Known time.Time
	// Past says that a date was asked for: nothing can be changed from there.
	Past bool
}

// KnownAt gives the second clock.
func (a AsOf) KnownAt() time.Time {
	if a.Known.IsZero() {
		return a.At
	}
	return a.Known
}

// StatementCounts are the honest counts of a set of required statements. Every
// one of Required is in exactly one of the others but Tested may also be met
// or not.
type StatementCounts struct {
	// Required statements, ruled-out ones left aside.
	Required int
	// ByLabel counts them by label.
	ByLabel [12]int
}

// Of gives the count of one label.
func (c StatementCounts) Of(l Label) int { return c.ByLabel[l] }

// Tested gives how many are tested on the running configuration.
func (c StatementCounts) Tested() int { return c.ByLabel[LabelTested] }

// MatrixRow is a runtime with its eleven cells, in the order of the library's
// dimensions.
type MatrixRow struct {
	Runtime Runtime
	Cells   []Cell
}

// DueItem is one thing that is due from the reader.
type DueItem struct {
	// Kind is "discrepancy", "acceptance", "undecided", "stale" or "unowned".
	Kind     string
	Text     string
	Href     string
	Due      time.Time
	Severity Severity
	Graded   bool
}

// Move is one change of a verdict, for "what moved".
type Move struct {
	At        time.Time
	Runtime   SubjectRef
	Subject   SubjectRef
	Statement string
	From      Label
	To        Label
	// Because names the record or the lapse that moved it.
	Because string
}

// Overview is the start page's facts.
type Overview struct {
	At       time.Time
	Rows     []MatrixRow
	Next     string
	Runtimes int
	Counts   StatementCounts
	Due      []DueItem
	DueTotal int
	Moved    []Move
	Since    time.Time
	// Settling counts verdicts whose time has passed and that a job is still
	// bringing up to date.
	Settling int
	// Outside counts runtimes outside the reader's portfolios.
	Outside int
}

// RuntimeFilter narrows the list of runtimes; zero fields do not.
type RuntimeFilter struct {
	Find    string
	Stage   string
	Owner   string
	Reading string // "against", "nothing yet", "supported so far"
	Retired bool
	// After is the keyset: slugs that sort after it.
	After string
	Limit int
}

// RuntimeList is one page of runtimes.
type RuntimeList struct {
	Rows  []RuntimeRow
	Next  string
	Total int // bounded at 10,000
	// Settling as in Overview.
	Settling int
}

// RuntimeRow is a runtime in a list with its counts in the two columns, never
// added together.
type RuntimeRow struct {
	Runtime   Runtime
	Execution ColumnCounts
	Receivers ColumnCounts
	Open      int // open discrepancies
}

// ColumnCounts are the counts of one column: worst label, statements by
// reading word, tested and required.
type ColumnCounts struct {
	Worst     Label
	Any       bool
	Against   int
	Nothing   int
	Supported int
	Tested    int
	Required  int
}

// StatementRow is one statement of one subject on a runtime's page.
type StatementRow struct {
	Subject     SubjectRef
	Statement   string
	Requirement Requirement
	HasRequired bool
	Verdict     Verdict
	// Said, Configured and Tested are the newest visible record of statement,
	// documentation or attestation; configuration; and test; zero when none.
	Said       RecordMark
	Configured RecordMark
	Tested     RecordMark
	// Discrepancy is the open one's id, 0 for none.
	Discrepancy int64
	// CarriedBy and CarriedUntil belong to an accepted risk.
	CarriedBy    string
	CarriedUntil time.Time
}

// RecordMark is the date and side of the newest record of a kind.
type RecordMark struct {
	ID         string
	ObservedAt time.Time
	Against    bool
	Run        string
}

// RuntimePage is a runtime with everything its tabs show.
type RuntimePage struct {
	Runtime Runtime
	Links   []Link
	// Previous is the target before the one in force; zero when there is none.
	Previous   Target
	Cells      []Cell
	Statements []StatementRow
	Counts     struct{ Execution, Receivers StatementCounts }
	Evidence   int
	Open       int
}

// ComponentPage is a component with the statements judged on it.
type ComponentPage struct {
	Component  Component
	Previous   Target
	Users      []Link
	Statements []StatementRow
	Counts     StatementCounts
	Evidence   int
	Open       int
}

// ComponentRow is a component in a list.
type ComponentRow struct {
	Component Component
	Users     int
	Counts    ColumnCounts
	Open      int
}

// CellPage explains one cell of a runtime, statement by statement.
type CellPage struct {
	Runtime   Runtime
	Dimension string
	Cell      Cell
	Items     []CellItem
	// Contrast is the other column's cell that the reader must not confuse this
	// one with; nil when there is none.
	Contrast []StatementRow
}

// CellItem is a statement with its facts: the page explains them by Explain
// and Timeline.
type CellItem struct {
	Row    StatementRow
	Facts  Facts
	Target Target
	// Targets are all targets of the subject that were known, oldest first.
	Targets []Target
	Records map[string]Record
	// Closures, Acceptances and Rulings whole, for names and texts.
	Closures    []ClosureRecord
	Acceptances []AcceptanceRecord
	Rulings     []RulingRecord
	Discrepancy *Discrepancy
}

// HistoryEvent is one dated entry of a subject's history.
type HistoryEvent struct {
	At     time.Time
	By     string
	Kind   string // "runtime", "target", "requirement", "evidence", "closure", "acceptance", "ruling", "link", "withdrawal", "verdict"
	Text   string
	Detail string
	Href   string
}

// RecordFilter narrows a list of evidence; zero fields do not.
type RecordFilter struct {
	Subject   int64
	Runtime   string // slug: its unit and its receivers
	Statement string
	Kind      string
	Side      string // "against" or "for"
	Before    int64
	Limit     int
}

// RunRow is an import in a list.
type RunRow struct {
	ID         int64
	File       string
	Format     string
	Runtime    string
	RecordedAt time.Time
	By         string
	Receipt    Receipt
	Withdrawn  bool
}

// Preview is what a decision or record would do, shown before it is saved.
type Preview struct {
	Moves []Movement
	// Notes say what will not happen and why.
	Notes []string
}

// CatalogueRow is a catalogue system in a list.
type CatalogueRow struct {
	ID       string
	Name     string
	VendorID string
	Vendor   string
	Product  string
	Variant  string
	Kind     string
	Category string
	Stated   int
	Unstated int
	// Status is the newest release status claim's normalised word and the
	// vendor's own label.
	Status string
	Label  string
	SeenOn time.Time
	// Runtimes that run on it.
	Runtimes int
}

// CatalogueClaim is a claim as the catalogue says it.
type CatalogueClaim struct {
	ID            string
	System        string
	Topic         string
	Dimension     string
	Facet         string
	Scope         string
	Stated        bool
	Words         string
	Configuration string
	URL           string
	Title         string
	Publisher     string
	PageDate      string
	SeenOn        time.Time
	SeenBasis     string
	SourceKind    string
	ReadAs        string
	Confidence    string
	EvidenceKind  string
	BearsOn       []Bearing
	Contradicts   []string
	StatusLabel   string
	Status        string
	StatusFeature string
	Question      int
}

// Bearing is a statement that a claim bears on and from which side.
type Bearing struct {
	Statement string
	Polarity  Polarity
}

// CatalogueSystem is a system with its claims.
type CatalogueSystem struct {
	CatalogueRow
	Aliases  []string
	Claims   []CatalogueClaim
	Runtimes []SubjectRef
}
