package posture

import "time"

// Result is one case of a results file as the importer read it: raw, before
// and after mapping (formats.md §3, DESIGN.md §13).
type Result struct {
	// Seq counts records in the file from 1; Line is where it stands, 0 unknown.
	Seq   int
	Line  int
	Suite string
	Class string
	Name  string
	// Outcome is counted as the file says.
	Outcome  Outcome
	Message  string
	Duration time.Duration
	// ObservedAt is the case's, the suite's or the run's time in the file, in
	// that order; zero when the file gives none.
	ObservedAt time.Time
	// ZoneAssumed says that the file gave no zone.
	ZoneAssumed bool

	// Mapping: empty Statement means unmapped.
	Statement         string
	Scenario          string
	Run               string
	Case              string
	Path              string
	Direction         string
	Expected          Expected
	ControlOK         bool
	ObservedBehaviour string
	RefusalOrigin     string
	Tester            string
	// MappedBy says which rule or property mapped it.
	MappedBy string
	// Receiver is the slug of the component judged; empty means the unit.
	Receiver string
	// Runtime is the slug of the runtime that the file itself names for the
	// record; empty where it names none.
	Runtime string
	// ControlStated says that the file itself spoke of the case's controls:
	// ControlOK is then its word and no mapping rule changes it.
	ControlStated bool
	// Flaky says that an earlier attempt of the case failed and the file counts
	// a later one that passed.
	Flaky bool
	// Identity is the record's own, where the file carries one: the receiver's
	// where Receiver is set, else the unit's. Import.IdentityOf completes it.
	Identity Identity
	// Text is the kept part of the case's output; Cut counts the bytes elided.
	Text string
	Cut  int64
}

// Problem is one thing wrong with a file, where it stands and what it did.
type Problem struct {
	Line     int    `json:"line"`
	Record   int    `json:"record,omitempty"`
	What     string `json:"what"`
	Severity string `json:"severity"` // "refused", "warning" or "note"
}

// Receipt is what an import answers: the shape of DESIGN.md §7.
type Receipt struct {
	File         string            `json:"file"`
	Format       string            `json:"format"`
	SHA256       string            `json:"sha256"`
	StoredSHA256 string            `json:"stored_sha256"`
	Records      RecordCounts      `json:"records"`
	Outcomes     OutcomeCounts     `json:"outcomes"`
	Mapped       int               `json:"mapped"`
	Unmapped     int               `json:"unmapped"`
	Identity     map[string]string `json:"identity"`
	Completeness string            `json:"completeness"` // "complete", "truncated" or "unknown"
	Truncated    bool              `json:"truncated"`
	Redacted     int               `json:"redacted"`
	Problems     []Problem         `json:"problems"`

	// What follows is known only where there is a database.
	Run           int64      `json:"run,omitempty"`
	Runtime       string     `json:"runtime,omitempty"`
	Attributed    bool       `json:"attributed"`
	AlreadyOn     *time.Time `json:"already_imported_on,omitempty"`
	Moved         []Movement `json:"moved,omitempty"`
	Unmoved       []string   `json:"did_not_move,omitempty"`
	Discrepancies []int64    `json:"discrepancies,omitempty"`
	Proved        []string   `json:"proved,omitempty"`
	NotProved     []string   `json:"did_not_prove,omitempty"`
}

// RecordCounts obey read = stored + refused.
type RecordCounts struct {
	Read    int `json:"read"`
	Stored  int `json:"stored"`
	Refused int `json:"refused"`
}

// OutcomeCounts count the stored records by raw outcome.
type OutcomeCounts struct {
	Pass         int `json:"pass"`
	Fail         int `json:"fail"`
	Error        int `json:"error"`
	Skipped      int `json:"skipped"`
	Inconclusive int `json:"inconclusive"`
	Incomplete   int `json:"incomplete"`
}

// Movement is one verdict that an import or a decision moved.
type Movement struct {
	Subject   SubjectRef `json:"-"`
	On        string     `json:"on"`
	Kind      string     `json:"kind"`
	Statement string     `json:"statement"`
	From      string     `json:"from"`
	To        string     `json:"to"`
	Because   string     `json:"because"`
	At        time.Time  `json:"at"`
}

// Import is what the store must know of a file beside its results.
type Import struct {
	File   string
	Format string
	// SHA256 is the digest of the bytes as received, 64 hex digits.
	SHA256 string
	// Runtime is the slug of the runtime the run is about; empty makes it
	// unattributed.
	Runtime string
	// Identity was read at the start of the run and IdentityEnd at its end; a
	// zero IdentityEnd was not read. Two that differ make the run unattributed.
	Identity    Identity
	IdentityEnd Identity
	// Receivers are the identities of receiving components, by slug.
	Receivers map[string]Identity
	// Mapping names the mapping file used, with its digest; empty for none.
	Mapping string
	// DryRun does everything and keeps nothing.
	DryRun bool
	// Stored gives the redacted copy to keep, its digest and its size; it is
	// called once, after the last result was taken.
	Stored func() (StoredCopy, error)
	// Summary gives the receipt as far as the importer knows it; it is called
	// once, after the last result was taken.
	Summary func() Receipt
}

// StoredCopy is the redacted copy of a received file.
type StoredCopy struct {
	SHA256 string
	Size   int64
	Media  string
	// Chunks calls give for each part of the copy in order, at most 1 MiB each.
	Chunks func(give func([]byte) error) error
}

// Upload is a file handed in with a form, at most 10 MiB.
type Upload struct {
	Name  string
	Media string
	Body  []byte
}

// IdentityOf gives the identity that a result was taken on: the run's or, at a
// receiver, the receiver's, completed by the facets that only the file gives.
// What the caller said of the run wins over the file (DESIGN.md §13).
func (in *Import) IdentityOf(r *Result) Identity {
	id := Stated(in.Identity, in.IdentityEnd)
	if r.Receiver != "" {
		id = in.Receivers[r.Receiver]
	}
	for f, v := range r.Identity {
		if id[f] == "" {
			id[f] = v
		}
	}
	return id
}

// Attributed says whether the run may reach verdicts: it names a runtime, and
// the identity read at its end does not differ from the one at its start.
func (in *Import) Attributed() bool {
	return in.Runtime != "" && len(in.Changed()) == 0
}

// Changed lists the facets that were known at the start and at the end of the
// run and differ: such a run is void (model.md §4.1).
func (in *Import) Changed() []Facet {
	moved, _ := Differing(&in.Identity, &in.IdentityEnd, allFacets)
	return moved
}

const allFacets FacetSet = 1<<facetCount - 1
