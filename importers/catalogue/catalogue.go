// Package catalogue reads the shipped catalogue: what public pages of vendors and projects say about
// agent runtimes and sandboxes, with speaker, source and date. It is pure: bytes in, values out, no
// database and no clock.
//
// # The two files
//
// catalogue.yaml holds the systems and their claims: one sentence each, in our own words, with the page
// it rests on. links.yaml says what each of them bears on: vendor, product and variant of every system,
// and for every claim the facet, the boundary statements (model.md §2.1), the kind of evidence, the
// normalised release status (model.md §5.4), known disagreements and, where the pages are silent, the
// procurement question to ask (model.md §5.2). The comment at the head of each file is its schema.
// [Read] joins the two; [Shipped] reads the pair that is part of the program.
//
// # What a claim is
//
// A claim is what a page said on its date. It is neither a test result nor a rating. A claim with
// Stated false records that the pages read do not say the thing: it is a question for the vendor, and
// says nothing about the product. Confidence rates how well the page supports the sentence, not how
// good the control is. An empty BearsOn says nothing about the product either.
//
// # Strictness
//
// Read refuses what the schema does not know: keys, words, statements, systems and claims without a
// partner in the other file, disagreements named on one side only. Of YAML it takes mappings, lists and
// scalars; anchors, aliases, tags and merge keys are refused, and so are files far larger or deeper than
// a catalogue can be. The first fault found is returned, as one sentence that names the file, the line
// where there is one, the system or claim, and what to do.
package catalogue

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Catalogue is both files joined. Systems and the claims in them keep the order of catalogue.yaml.
type Catalogue struct {
	SchemaVersion int
	// CollectedOn is the day the pages were read.
	CollectedOn Date
	Vocab       Vocab
	Systems     []System
}

// System is one product in one variant: the thing a claim is about. VendorID, Product and Variant
// together are unique in a catalogue.
type System struct {
	ID   string // stable slug
	Name string // as the catalogue titles it; may add the variant
	// Maker is who makes it, as the catalogue writes it. It may name a project or a second party
	// where Vendor has the vendor's one name.
	Maker    string
	Vendor   string
	VendorID string // stable slug; has one Vendor name throughout
	Product  string
	// Variant is the option that decides the mechanism: "default" where there is only one,
	// "unspecified" where there are several and the claims do not settle on one.
	Variant       string
	Kind          string // runtime, component, primitive, guidance, announced
	ComponentKind string // empty unless Kind is component
	Category      string // a word of Vocab.Category
	Aliases       []string
	Claims        []Claim
}

// Claim is one sentence about a system. Fields that hold a word take it from the closed lists in the
// heads of the two files.
type Claim struct {
	ID        string // "<system id>.<slug>"
	Topic     string
	Dimension string // of the seven dimensions, or "none"
	Scope     string
	// Stated says whether the source says it. False means the pages read do not say it.
	Stated bool
	Words  string // one sentence, a paraphrase
	// Configuration is the setting or version under which the sentence holds; empty when it holds
	// without one.
	Configuration string
	Source        Source
	SourceKind    string // who says it: vendor, third_party, standard
	ReadAs        string // full_page, excerpt, git_mirror, quoted
	Confidence    string // high, medium, low
	// CollectedOn is the catalogue's, repeated so that a claim can be dated by itself.
	CollectedOn Date
	// Facet is a dimension or facet code of model.md §1.3, or "none".
	Facet   string
	BearsOn []Bearing
	// EvidenceKind is documentation, statement or none (model.md §2.3).
	EvidenceKind string
	Status       *ReleaseStatus // nil unless Topic is release_status
	Contradicts  []string       // ids of claims that say otherwise; each of them names this one
	Question     int            // number in model.md §5; 0 when Stated
}

// Source is the page a claim rests on.
type Source struct {
	URL       string // http or https
	Title     string // a title in [brackets] is the page's path
	Publisher string
	PageDate  Date   // as stated on the page; zero when it states none. Pages are sometimes wrong
	CopyDate  Date   // day of the captured copy that was read; zero when not known
	Via       string // what was actually read when it is not the page at URL, else empty
}

// Bearing says that a claim supports or contradicts a boundary statement.
type Bearing struct {
	Statement string // id of model.md §2.1, such as "FS-1"
	Polarity  string // supports or contradicts
}

// ReleaseStatus is a claim about the stage of a system or of a part of it.
type ReleaseStatus struct {
	Word       string // the catalogue's word for the stage, from Vocab.Status
	Label      string // the stage in the source's own words; empty where it gives none
	Normalised string // by the label's terms (model.md §5.4)
	Feature    string // the part, version or edition the label is about
	Date       Date   // of the stage; zero when not known
}

// Date is a day, month or year as a page gives it. The zero Date means that none is given.
type Date struct {
	Text  string    // YYYY, YYYY-MM or YYYY-MM-DD
	First time.Time // midnight UTC of the first day of that year or month, or of that day
}

// IsZero reports whether no date is given.
func (d Date) IsZero() bool { return d.Text == "" }

// Where the date of a claim comes from, as [Claim.SeenOn] says it.
const (
	BasisCopy      = "copy_date"
	BasisPage      = "page_date"
	BasisCollected = "collected_on"
)

// SeenOn is the date to show for a claim, at midnight UTC, and what it rests on: the day of the copy
// that was read, else the date the page states for itself (its first day when it gives a month or a
// year), else the day the catalogue was collected.
func (c Claim) SeenOn() (date time.Time, basis string) {
	switch {
	case !c.Source.CopyDate.IsZero():
		return c.Source.CopyDate.First, BasisCopy
	case !c.Source.PageDate.IsZero():
		return c.Source.PageDate.First, BasisPage
	default:
		return c.CollectedOn.First, BasisCollected
	}
}

// System finds a system by its id.
func (c *Catalogue) System(id string) (System, bool) {
	i := slices.IndexFunc(c.Systems, func(s System) bool { return s.ID == id })
	if i < 0 {
		return System{}, false
	}
	return c.Systems[i], true
}

// Claim finds a claim by its id.
func (c *Catalogue) Claim(id string) (Claim, bool) {
	system, _, _ := strings.Cut(id, ".")
	s, _ := c.System(system)
	i := slices.IndexFunc(s.Claims, func(k Claim) bool { return k.ID == id })
	if i < 0 {
		return Claim{}, false
	}
	return s.Claims[i], true
}

// Vendor is one vendor and the ids of its systems, in the order of the catalogue.
type Vendor struct {
	ID      string
	Name    string
	Systems []string
}

// Vendors lists the vendors by name.
func (c *Catalogue) Vendors() []Vendor {
	var all []Vendor
	at := make(map[string]int)
	for _, s := range c.Systems {
		i, known := at[s.VendorID]
		if !known {
			i = len(all)
			at[s.VendorID] = i
			all = append(all, Vendor{ID: s.VendorID, Name: s.Vendor})
		}
		all[i].Systems = append(all[i].Systems, s.ID)
	}
	slices.SortFunc(all, func(a, b Vendor) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return all
}
