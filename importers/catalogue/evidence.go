package catalogue

import (
	"cmp"
	"strings"
	"time"
	"unicode"
)

// Draft is one evidence record in the making: what one claim says for or against one boundary statement
// (model.md §2.2). It has no region, no artefact digest and no recorded instant; who stores it adds them.
// A draft whose Variant is "unspecified" cannot support anything (model.md §2.4).
type Draft struct {
	ClaimID   string
	Statement string // "FS-1"
	Kind      string // documentation or statement
	Polarity  string // supports or contradicts
	Vendor    string
	VendorID  string
	Product   string
	Variant   string
	// ObservedAt is midnight UTC of the claim's copy_date or, when the day of the copy is not known, of
	// the catalogue's collected_on; ObservedBasis says which. A date the page states for itself is not
	// taken: it says when the page was written, not when it was still what the vendor says.
	ObservedAt    time.Time
	ObservedBasis string // BasisCopy or BasisCollected
	SourceKind    string // vendor, third_party, standard
	URL           string
	Title         string
	Publisher     string
	Words         string
	Configuration string // both polarities hold under this setting only
	// PreGA marks documentation of a feature before general availability, which ages faster
	// (model.md §2.5). See [System.Evidence] for how it is found.
	PreGA bool
}

// Evidence gives one draft for every pair of a stated claim and a statement it bears on, in the order of
// the claims. Claims that are not stated, or whose evidence kind is none, give none.
//
// A draft of kind documentation is PreGA when the system has a current release status that is pre-GA and
// whose feature is named, as whole words in that order, by the system's product, or by the claim's words
// or configuration. In the feature, what follows a comma and the words "as a whole", "tool", "API",
// "support" and "managed" do not count, nor does a plural s. Current, among the statuses of one feature,
// is the one with the latest date (status_date, else copy_date); one without a date yields to any with;
// between equals pre-GA wins. Both choices lean to the shorter window: a page without a label does not
// prove that an earlier preview has ended.
func (s System) Evidence() []Draft {
	var all []Draft
	for _, k := range s.Claims {
		if !k.Stated || k.EvidenceKind == none {
			continue
		}
		preGA := k.EvidenceKind == documentation && s.documentsPreGA(k)
		for _, b := range k.BearsOn {
			all = append(all, s.draft(k, b, preGA))
		}
	}
	return all
}

func (s System) draft(k Claim, b Bearing, preGA bool) Draft {
	observed, basis := k.CollectedOn.First, BasisCollected
	if !k.Source.CopyDate.IsZero() {
		observed, basis = k.Source.CopyDate.First, BasisCopy
	}
	return Draft{
		ClaimID: k.ID, Statement: b.Statement, Kind: k.EvidenceKind, Polarity: b.Polarity,
		Vendor: s.Vendor, VendorID: s.VendorID, Product: s.Product, Variant: s.Variant,
		ObservedAt: observed, ObservedBasis: basis, SourceKind: k.SourceKind,
		URL: k.Source.URL, Title: k.Source.Title, Publisher: k.Source.Publisher,
		Words: k.Words, Configuration: k.Configuration, PreGA: preGA,
	}
}

// documentsPreGA applies the rule of [System.Evidence] to one claim.
func (s System) documentsPreGA(k Claim) bool {
	about := []string{phrase(s.Product), phrase(k.Words), phrase(k.Configuration)}
	current := make(map[string]Claim)
	for _, status := range s.Claims {
		if !status.Stated || status.Status == nil {
			continue
		}
		feature := featurePhrase(status.Status.Feature)
		if named := feature != "" && containsPhrase(about, feature); !named {
			continue
		}
		if held, found := current[feature]; !found || supersedes(status, held) {
			current[feature] = status
		}
	}
	for _, status := range current {
		if preGA(status.Status.Normalised) {
			return true
		}
	}
	return false
}

// supersedes reports whether status a stands in place of b, of the same feature.
func supersedes(a, b Claim) bool {
	order := statusDate(a).Compare(statusDate(b))
	return order > 0 || order == 0 && preGA(a.Status.Normalised)
}

// statusDate is the date of a status, or the zero time, which is before all others.
func statusDate(k Claim) time.Time {
	return cmp.Or(k.Status.Date.First, k.Source.CopyDate.First)
}

// phrase folds text to lower-case words without plural s, each with a space on both sides.
func phrase(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	})
	var b strings.Builder
	for _, w := range words {
		if w = strings.TrimSuffix(strings.Trim(w, "."), "s"); w != "" {
			b.WriteString(" " + w)
		}
	}
	return b.String() + " "
}

// featurePhrase is the phrase of a status feature without its qualifiers; empty when nothing is left.
func featurePhrase(feature string) string {
	name, _, _ := strings.Cut(feature, ",")
	folded := phrase(name)
	for _, qualifier := range []string{"as a whole", "tool", "API", "support", "managed"} {
		folded = strings.ReplaceAll(folded, phrase(qualifier), " ")
	}
	return strings.TrimSpace(folded)
}

func containsPhrase(texts []string, folded string) bool {
	for _, t := range texts {
		if strings.Contains(t, " "+folded+" ") {
			return true
		}
	}
	return false
}
