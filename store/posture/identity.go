package posture

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"
)

// Facet is one part of an identity (model.md §2.4).
type Facet uint8

// The facets, in the order pages print them.
const (
	Vendor Facet = iota
	Product
	Variant
	Version
	Image
	Policy
	Config
	Region
	Tools
	Model
	Environment
	facetCount
)

var facetNames = [facetCount]string{
	"vendor", "product", "variant", "version", "image", "policy", "config", "region",
	"tools", "model", "environment",
}

// Facets lists all facets in order.
func Facets() []Facet {
	all := make([]Facet, facetCount)
	for i := range all {
		all[i] = Facet(i)
	}
	return all
}

// String gives the stored name.
func (f Facet) String() string { return facetNames[f] }

// ParseFacet reads a stored name; an unknown one is an error that names it.
func ParseFacet(s string) (Facet, error) {
	i, err := parseName("identity facet", facetNames[:], s)
	return Facet(i), err
}

// RegionAny is the region of a document that speaks for every region. It is
// allowed on documentation and attestation only (model.md §2.4).
const RegionAny = "any"

// Identity is what evidence is about or what a target is: facet to value, the
// empty string where unknown. A digest facet (image, policy, config, tools)
// may hold several "algorithm:hex" digests parted by spaces or commas.
type Identity [facetCount]string

// Map gives the known facets by name, as JSON carries them.
func (id *Identity) Map() map[string]string {
	m := make(map[string]string, facetCount)
	for f, v := range id {
		if v != "" {
			m[facetNames[f]] = v
		}
	}
	return m
}

// ParseIdentity reads facets by name; an unknown facet is an error that names
// it.
func ParseIdentity(m map[string]string) (Identity, error) {
	var id Identity
	for name, v := range m {
		f, err := ParseFacet(name)
		if err != nil {
			return Identity{}, err
		}
		id[f] = v
	}
	return id, nil
}

// FacetSet is a set of facets.
type FacetSet uint16

// Of makes a set.
func Of(facets ...Facet) FacetSet {
	var s FacetSet
	for _, f := range facets {
		s |= 1 << f
	}
	return s
}

// Has says whether f is in the set.
func (s FacetSet) Has(f Facet) bool { return s&(1<<f) != 0 }

// List gives the members in order.
func (s FacetSet) List() []Facet {
	var out []Facet
	for f := range facetCount {
		if s.Has(f) {
			out = append(out, f)
		}
	}
	return out
}

const (
	scopeFacets FacetSet = 1<<Vendor | 1<<Product | 1<<Variant
	fullConfig  FacetSet = 1<<Version | 1<<Policy | 1<<Config | 1<<Region
	ruleFacets  FacetSet = scopeFacets | 1<<Version | 1<<Policy | 1<<Config
	carryFacets FacetSet = scopeFacets | 1<<Policy | 1<<Config
)

// Match is how two identities compare over some facets (model.md §2.4).
type Match uint8

// The results of a comparison.
const (
	// Matches: every facet is known on both and equal.
	Matches Match = iota
	// Unidentified: none differs, at least one is unknown.
	Unidentified
	// Drifted: one is known on both and different.
	Drifted
)

// Compare compares a and b over the facets of want.
func Compare(a, b *Identity, want FacetSet) Match {
	result := Matches
	for ; want != 0; want &= want - 1 {
		f := Facet(bits.TrailingZeros16(uint16(want)))
		switch compareFacet(f, a[f], b[f]) {
		case Drifted:
			return Drifted
		case Unidentified:
			result = Unidentified
		case Matches:
		}
	}
	return result
}

// Differing lists the facets of want known on both and different, and those
// unknown on either side.
func Differing(a, b *Identity, want FacetSet) (moved, unknown []Facet) {
	for _, f := range want.List() {
		switch compareFacet(f, a[f], b[f]) {
		case Drifted:
			moved = append(moved, f)
		case Unidentified:
			unknown = append(unknown, f)
		case Matches:
		}
	}
	return moved, unknown
}

func compareFacet(f Facet, a, b string) Match {
	if a == "" || b == "" {
		return Unidentified
	}
	if a == b && f != Image {
		return Matches
	}
	if f == Image || f == Policy || f == Config || f == Tools {
		if strings.IndexByte(a, ':') >= 0 || strings.IndexByte(b, ':') >= 0 {
			return compareDigests(f, a, b)
		}
	}
	if a == b {
		return Matches
	}
	return Drifted
}

// compareDigests: sets match if any accepted algorithm is equal on both, are
// never compared across algorithms, and md5 or sha1 alone identify no image
// (model.md §2.4). A provider's own id that is no digest compares whole.
func compareDigests(f Facet, a, b string) Match {
	digestsA, okA := digests(a)
	digestsB, okB := digests(b)
	if !okA && !okB {
		if a == b {
			return Matches
		}
		return Drifted
	}
	if okA != okB {
		return Unidentified
	}
	result := Unidentified
	for _, da := range digestsA {
		for _, db := range digestsB {
			if da.algorithm != db.algorithm || (f == Image && da.weak()) {
				continue
			}
			if strings.EqualFold(da.hex, db.hex) {
				return Matches
			}
			result = Drifted
		}
	}
	return result
}

type digest struct{ algorithm, hex string }

func (d digest) weak() bool { return d.algorithm == "md5" || d.algorithm == "sha1" }

func digests(s string) ([]digest, bool) {
	var out []digest
	for part := range strings.FieldsFuncSeq(s, partsDigests) {
		algorithm, hex, found := strings.Cut(part, ":")
		algorithm = strings.ToLower(algorithm)
		switch algorithm {
		case "sha256", "sha384", "sha512", "sha1", "md5", "blake3":
		default:
			return nil, false
		}
		if !found || hex == "" {
			return nil, false
		}
		out = append(out, digest{algorithm, hex})
	}
	return out, len(out) > 0
}

// Required gives the facets, beyond vendor, product and variant, that evidence
// of a kind must match before it lifts a rung on a statement (model.md §2.4).
func Required(kind Kind, statement string, subject SubjectKind) FacetSet {
	switch kind {
	case KindDocumentation, KindAttestation:
		return 1 << Region
	case KindConfiguration:
		return fullConfig
	case KindTest:
		want := fullConfig
		if subject == Unit {
			want |= 1 << Image
		}
		if strings.HasPrefix(statement, "TL-") {
			want |= 1 << Tools
		}
		if statement == "ME-2" || statement == "ME-3" {
			want |= 1 << Model
		}
		return want
	case KindStatement, KindIncident:
	}
	return 0
}

// softens gives the facets whose drift turns a negative of this kind into a
// suspicion (model.md §2.7). Region never softens a failure.
func softens(kind Kind, statement string, subject SubjectKind) FacetSet {
	switch kind {
	case KindTest:
		return Required(KindTest, statement, subject) &^ (1 << Region)
	case KindConfiguration:
		return 1<<Policy | 1<<Config
	case KindIncident:
		return 1 << Version
	case KindStatement, KindDocumentation, KindAttestation:
	}
	return 0
}

// CheckRegion refuses region "any" where model.md §2.4 does not allow it.
func CheckRegion(kind Kind, id *Identity) error {
	if id[Region] == RegionAny && (kind == KindTest || kind == KindConfiguration) {
		return fmt.Errorf("region %q is not allowed on a %s: name the region it was taken in", RegionAny, kind)
	}
	return nil
}

// partsDigests says where one digest of a set ends.
func partsDigests(r rune) bool { return r == ',' || unicode.IsSpace(r) }
