package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// faultAt is a fault in one of the files, found when both are known.
func faultAt(file string, line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
}

// join puts what links.yaml says into the systems and claims of the catalogue. Each side must name
// exactly what the other names.
func join(c *catalogueFile, l *linksFile) error {
	for i := range c.Systems {
		s := &c.Systems[i]
		link, found := l.systems[s.ID]
		if !found {
			return faultAt(catalogueName, c.systemLine[s.ID], "system %s: has no entry under systems in %s; add one",
				s.ID, linksName)
		}
		s.VendorID, s.Vendor, s.Product, s.Variant = link.vendorID, link.vendor, link.product, link.variant
		s.Kind, s.ComponentKind = link.kind, link.componentKind
		for j := range s.Claims {
			if err := joinClaim(&s.Claims[j], c, l); err != nil {
				return err
			}
		}
	}
	return noneLeftOver(c, l)
}

func joinClaim(k *Claim, c *catalogueFile, l *linksFile) error {
	link, found := l.claims[k.ID]
	if !found {
		return faultAt(catalogueName, c.claimLine[k.ID], "claim %s: has no entry under claims in %s; add one",
			k.ID, linksName)
	}
	if (link.status != nil) != (k.Status != nil) {
		return faultAt(linksName, link.line, "claim %s: status belongs to every claim with topic %s and to no other",
			k.ID, releaseTopic)
	}
	q, asked := l.questions[k.ID]
	switch {
	case !asked && !k.Stated:
		return faultAt(catalogueName, c.claimLine[k.ID], "claim %s: is not stated and has no question in %s; add one",
			k.ID, linksName)
	case asked && k.Stated:
		return faultAt(linksName, q.line, "question for claim %s: the claim is stated; remove the question", k.ID)
	}
	k.Facet, k.BearsOn, k.EvidenceKind = link.facet, link.bearsOn, link.evidenceKind
	k.Contradicts, k.Question = link.contradicts, q.number
	if k.Status != nil {
		k.Status.Label, k.Status.Normalised, k.Status.Feature = link.status.Label, link.status.Normalised, link.status.Feature
	}
	return nil
}

// noneLeftOver checks that links.yaml speaks of nothing that the catalogue does not have.
func noneLeftOver(c *catalogueFile, l *linksFile) error {
	for _, id := range l.systemIDs {
		if _, found := c.systemLine[id]; !found {
			return faultAt(linksName, l.systems[id].line, "system %.120s: is not in %s; remove it", id, catalogueName)
		}
	}
	for _, id := range l.claimIDs {
		if _, found := c.claimLine[id]; !found {
			return faultAt(linksName, l.claims[id].line, "claim %.120s: is not in %s; remove it", id, catalogueName)
		}
	}
	for _, id := range l.questionIDs {
		if _, found := c.claimLine[id]; !found {
			return faultAt(linksName, l.questions[id].line, "question for claim %.120s: the claim is not in %s; remove it",
				id, catalogueName)
		}
	}
	return nil
}

// validate checks the rules that need both files.
func validate(c *catalogueFile, l *linksFile) error {
	if err := validateIdentities(c, l); err != nil {
		return err
	}
	for _, s := range c.Systems {
		for _, k := range s.Claims {
			if err := validateEvidence(k, l); err != nil {
				return err
			}
			if err := validateContradicts(k, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// validateIdentities checks that (vendor_id, product, variant) is unique and that a vendor has one name.
func validateIdentities(c *catalogueFile, l *linksFile) error {
	type identity struct{ vendorID, product, variant string }
	holder := make(map[identity]string)
	vendor := make(map[string]System)
	for _, s := range c.Systems {
		line := l.systems[s.ID].line
		id := identity{s.VendorID, s.Product, s.Variant}
		if other, twice := holder[id]; twice {
			return faultAt(linksName, line, "system %s: has vendor_id, product and variant of system %s; give it its own variant",
				s.ID, other)
		}
		holder[id] = s.ID
		if first, known := vendor[s.VendorID]; known && first.Vendor != s.Vendor {
			return faultAt(linksName, line, "system %s: vendor_id %s is called %.60q here and %.60q at system %s; give it one name",
				s.ID, s.VendorID, s.Vendor, first.Vendor, first.ID)
		} else if !known {
			vendor[s.VendorID] = s
		}
	}
	return nil
}

// validateEvidence checks that facet, statements and evidence kind of a claim agree with one another and
// with who says it and how it was read.
func validateEvidence(k Claim, l *linksFile) error {
	fault := func(format string, args ...any) error {
		return faultAt(linksName, l.claims[k.ID].line, "claim %s: %s", k.ID, fmt.Sprintf(format, args...))
	}
	ownDimension := func(b Bearing) bool { return strings.HasPrefix(b.Statement, k.Facet+"-") }
	switch {
	case len(k.BearsOn) > 0 && !slices.ContainsFunc(k.BearsOn, ownDimension):
		return fault("facet %s is the dimension of none of its statements; take it from one of them", k.Facet)
	case !k.Stated && k.EvidenceKind != none:
		return fault("is not stated, so evidence_kind must be %s", none)
	case k.Stated && k.EvidenceKind == none && k.Topic != releaseTopic:
		return fault("is stated, so evidence_kind %s fits only topic %s", none, releaseTopic)
	case k.EvidenceKind == none && len(k.BearsOn) > 0:
		return fault("bears on a statement, so evidence_kind must not be %s", none)
	case k.EvidenceKind == documentation && (k.SourceKind != "vendor" || k.ReadAs == "quoted"):
		return fault("comes from a %s source read as %s, so evidence_kind must be statement", k.SourceKind, k.ReadAs)
	default:
		return nil
	}
}

// validateContradicts checks that disagreements name other claims that are there, in both directions.
func validateContradicts(k Claim, l *linksFile) error {
	line := l.claims[k.ID].line
	for _, other := range k.Contradicts {
		link, found := l.claims[other]
		switch {
		case other == k.ID:
			return faultAt(linksName, line, "claim %s: contradicts itself; remove the entry", k.ID)
		case !found:
			return faultAt(linksName, line, "claim %s: contradicts %.120q, which is no claim", k.ID, other)
		case !slices.Contains(link.contradicts, k.ID):
			return faultAt(linksName, line, "claim %s: contradicts %s, which does not name it back; add it there",
				k.ID, other)
		}
	}
	return nil
}
