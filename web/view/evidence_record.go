package view

import (
	"slices"
	"strconv"
	"strings"

	"demarc/store/posture"
	"demarc/web/view/ui"
)

// EvidenceRecord is one record whole, with its part in the verdict of its
// statement.
type EvidenceRecord struct {
	Record posture.Record
	Item   posture.CellItem
	// Piece is the record's part in the verdict; Known is false for a record
	// that has none: withdrawn, superseded or of another vendor, product or
	// variant.
	Piece   posture.Piece
	Known   bool
	Verdict posture.Verdict

	at     posture.AsOf
	access posture.Access
}

// NewEvidenceRecord explains a record at an instant to a reader.
func NewEvidenceRecord(r posture.Record, item posture.CellItem, a posture.Access, o posture.AsOf) EvidenceRecord {
	m := EvidenceRecord{Record: r, Item: item, at: o, access: a}
	var why posture.Explanation
	m.Verdict, why = posture.Explain(&item.Facts, o.KnownAt(), o.At)
	for _, p := range slices.Concat(why.Against, why.For) {
		if p.ID == r.ID && !m.Known {
			m.Piece, m.Known = p, true
		}
	}
	return m
}

// RecordPath is the address of a record's page.
func RecordPath(id string) string { return "/evidence/" + id }

// may says whether the reader may do a thing from this page.
func (m *EvidenceRecord) may(action posture.Action) bool { return !m.at.Past && m.access.May(action) }

func (m *EvidenceRecord) withdrawn() bool { return !m.Record.WithdrawnAt.IsZero() }

// closable says whether the record is a negative that counts or was closed.
func (m *EvidenceRecord) closable() bool {
	return m.Record.Negative() && !m.withdrawn() && m.may(posture.CloseNegatives)
}

func (m *EvidenceRecord) withdrawable() bool {
	return !m.withdrawn() && posture.NotWithdrawn(&m.Record.Evidence) == "" && m.may(posture.RecordEvidence)
}

func (m *EvidenceRecord) acceptable() bool {
	return !m.Verdict.Met && slices.Contains(m.Verdict.OpenNegatives(), m.Record.ID) && m.may(posture.AcceptRisk)
}

func (m *EvidenceRecord) acceptPath() string {
	return onStatement("/accept", m.Record.Subject.ID, m.Record.Statement)
}

// does says what the record does to the verdict now.
func (m *EvidenceRecord) does() string {
	r := &m.Record
	switch {
	case r.SupersededBy != "" && r.WithdrawnBecause == "":
		return "Nothing: a newer capture of the same address, " + r.SupersededBy + ", stands in its place."
	case m.withdrawn():
		return "Nothing: it is withdrawn."
	case m.Known:
		return ui.Sentence(m.Piece.Why) + "."
	}
	moved, unknown := posture.Differing(&r.Identity, &m.Item.Facts.Target, posture.Of(posture.Vendor, posture.Product, posture.Variant))
	switch {
	case len(moved) > 0:
		return "Nothing: it is about another " + posture.FacetWords(moved) + ". Evidence never travels, for or against."
	case r.Kind == posture.KindTest && r.Outcome != posture.Pass && r.Outcome != posture.Fail:
		return "Nothing: this outcome is no evidence either way."
	case len(unknown) > 0:
		return "Nothing: its " + posture.FacetWords(unknown) + " cannot be compared with the target."
	default:
		return "Nothing: it stands on no side."
	}
}

// recordTitle names a record in a heading.
func recordTitle(r *posture.Record) string {
	return r.ID + ": " + kindWords(r) + " on " + r.Statement
}

// kindWords names a record's kind, with the side of a test.
func kindWords(r *posture.Record) string {
	if r.Kind == posture.KindTest && r.Expected != posture.ExpectedUnknown {
		return r.Kind.String() + ", " + r.Expected.String()
	}
	return r.Kind.String()
}

// sideWords says on which side of its statement a record stands by itself.
func sideWords(r *posture.Record) string {
	switch {
	case r.OverBlock():
		return "permitted access was refused"
	case r.Side() == posture.Contradicts:
		return "against"
	case r.Side() == posture.Supports:
		return "for"
	default:
		return "neither"
	}
}

// speakerWords says who speaks in a record.
func speakerWords(r *posture.Record) string {
	role := map[string]string{"vendor": "the vendor", "customer": "us", "independent": "an independent party"}[r.SourceRole]
	if r.SourceName != "" {
		return role + ", " + r.SourceName
	}
	return role
}

func (m *EvidenceRecord) closures() []posture.ClosureRecord {
	var out []posture.ClosureRecord
	for _, k := range m.Item.Closures {
		if k.Closes == m.Record.ID {
			out = append(out, k)
		}
	}
	return out
}

func (m *EvidenceRecord) closureState(k *posture.ClosureRecord) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked on " + ui.Day(k.RevokedAt)
	case m.Piece.ClosedBy == k.ID:
		return "in effect"
	default:
		return "no effect now"
	}
}

func (m *EvidenceRecord) acceptances() []posture.AcceptanceRecord {
	var out []posture.AcceptanceRecord
	for _, k := range m.Item.Acceptances {
		if slices.Contains(k.Covers, m.Record.ID) {
			out = append(out, k)
		}
	}
	return out
}

func (m *EvidenceRecord) acceptanceState(k *posture.AcceptanceRecord) string {
	switch {
	case !k.RevokedAt.IsZero():
		return "revoked on " + ui.Day(k.RevokedAt)
	case !k.ExpiresAt.After(m.at.At):
		return "lapsed on " + ui.Day(k.ExpiresAt)
	case m.Verdict.Acceptance == k.ID:
		return "carries the verdict"
	case posture.Compare(&k.Identity, &m.Item.Facts.Target, posture.CarryFacets()) != posture.Matches:
		return "lapsed: it is bound to another configuration"
	default:
		return "carries nothing: it does not cover all that is open"
	}
}

// revocable says whether the reader may end a decision made by an action.
func (m *EvidenceRecord) revocable(action posture.Action, revoked bool) bool {
	return !revoked && m.may(action)
}

// facetRow compares a facet of the record with the target.
type facetRow struct {
	facet        posture.Facet
	record, now  string
	needed, same bool
}

// facets compares what the record was taken on with what is running, facet by
// facet; facets unknown on both and not needed are left out.
func (m *EvidenceRecord) facets() []facetRow {
	r, target := &m.Record, &m.Item.Facts.Target
	needed := neededFacets(r.Kind, r.Statement, r.Subject.Kind)
	var out []facetRow
	for _, f := range posture.Facets() {
		if r.Identity[f] == "" && target[f] == "" && !needed.Has(f) {
			continue
		}
		out = append(out, facetRow{
			facet: f, record: r.Identity[f], now: target[f], needed: needed.Has(f),
			same: posture.Compare(&r.Identity, target, posture.Of(f)) == posture.Matches,
		})
	}
	return out
}

func (f facetRow) words() string {
	switch {
	case f.same:
		return "same"
	case f.record == posture.RegionAny:
		return "same: speaks for every region"
	case f.record == "" || f.now == "":
		return "cannot be compared"
	default:
		return "differs"
	}
}

// neededFacets are the facets that a kind must match before it lifts a rung.
func neededFacets(k posture.Kind, statement string, subject posture.SubjectKind) posture.FacetSet {
	return posture.Of(posture.Vendor, posture.Product, posture.Variant) | posture.Required(k, statement, subject)
}

// runPath is the address of a run's receipt.
func runPath(run int64) string { return "/evidence/runs/" + strconv.FormatInt(run, 10) }

func artefactPath(sha256 string) string { return "/artefacts/" + sha256 }

// isWeb says whether an address may be followed from a page.
func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// recordsOf lists the records of a statement on a subject.
func recordsOf(subject int64, statement string) string {
	return onStatement("/evidence", subject, statement)
}

// firstOf gives the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
