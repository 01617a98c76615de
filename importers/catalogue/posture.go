package catalogue

import "demarc/store/posture"

// Posture gives the systems and their claims in the words that the store keeps
// and the pages show, in the order of the catalogue.
func (c *Catalogue) Posture() []posture.CatalogueSystem {
	systems := make([]posture.CatalogueSystem, 0, len(c.Systems))
	for i := range c.Systems {
		systems = append(systems, systemPosture(&c.Systems[i]))
	}
	return systems
}

func systemPosture(s *System) posture.CatalogueSystem {
	system := posture.CatalogueSystem{
		CatalogueRow: posture.CatalogueRow{
			ID: s.ID, Name: s.Name, VendorID: s.VendorID, Vendor: s.Vendor, Product: s.Product, Variant: s.Variant,
			Kind: s.Kind, Category: s.Category,
		},
		Aliases: s.Aliases,
	}
	var statusSeen Date
	for i := range s.Claims {
		claim := claimPosture(s.ID, &s.Claims[i])
		if claim.Stated {
			system.Stated++
		} else {
			system.Unstated++
		}
		if claim.SeenOn.After(system.SeenOn) {
			system.SeenOn = claim.SeenOn
		}
		if status := s.Claims[i].Status; status != nil && claim.Stated && !status.Date.First.Before(statusSeen.First) {
			statusSeen, system.Status, system.Label = status.Date, status.Normalised, status.Label
		}
		system.Claims = append(system.Claims, claim)
	}
	return system
}

func claimPosture(system string, c *Claim) posture.CatalogueClaim {
	seen, basis := c.SeenOn()
	claim := posture.CatalogueClaim{
		ID: c.ID, System: system, Topic: c.Topic, Dimension: c.Dimension, Facet: c.Facet, Scope: c.Scope,
		Stated: c.Stated, Words: c.Words, Configuration: c.Configuration, URL: c.Source.URL, Title: c.Source.Title,
		Publisher: c.Source.Publisher, PageDate: c.Source.PageDate.Text, SeenOn: seen, SeenBasis: basis,
		SourceKind: c.SourceKind, ReadAs: c.ReadAs, Confidence: c.Confidence, EvidenceKind: c.EvidenceKind,
		Contradicts: c.Contradicts, Question: c.Question,
	}
	for _, b := range c.BearsOn {
		polarity := posture.Contradicts
		if b.Polarity == posture.Supports.String() {
			polarity = posture.Supports
		}
		claim.BearsOn = append(claim.BearsOn, posture.Bearing{Statement: b.Statement, Polarity: polarity})
	}
	if c.Status != nil {
		claim.StatusLabel, claim.Status, claim.StatusFeature = c.Status.Label, c.Status.Normalised, c.Status.Feature
	}
	return claim
}
