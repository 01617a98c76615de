package catalogue_test

import (
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"demarc/importers/catalogue"
)

// TestNothingIsDropped decodes both files without knowledge of their schema and compares them, key by
// key and value by value, with what the joined catalogue can give back.
func TestNothingIsDropped(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		c                        *catalogue.Catalogue
		catalogueText, linksText string
	}{
		"small":   {readSmall(t), readText(t, "testdata/catalogue.yaml"), readText(t, "testdata/links.yaml")},
		"shipped": {shipped(t), readText(t, "catalogue.yaml"), readText(t, "links.yaml")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(generic(t, tc.catalogueText), asCatalogue(tc.c)); diff != "" {
				t.Errorf("catalogue.yaml (-file +read):\n%s", diff)
			}
			if diff := cmp.Diff(generic(t, tc.linksText), asLinks(tc.c)); diff != "" {
				t.Errorf("links.yaml (-file +read):\n%s", diff)
			}
		})
	}
}

func generic(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func asCatalogue(c *catalogue.Catalogue) map[string]any {
	var systems []any
	for _, s := range c.Systems {
		var claims []any
		for _, k := range s.Claims {
			claims = append(claims, asClaim(k))
		}
		systems = append(systems, map[string]any{
			"id": s.ID, "name": s.Name, "vendor": s.Maker, "category": s.Category, "aliases": list(s.Aliases),
			"claims": claims,
		})
	}
	v := c.Vocab
	return map[string]any{
		"schema_version": uint64(c.SchemaVersion),
		"collected_on":   c.CollectedOn.Text,
		"vocab": map[string]any{
			"category": list(v.Category), "topic": list(v.Topic), "dimension": list(v.Dimension), "scope": list(v.Scope),
			"status": list(v.Status), "source_kind": list(v.SourceKind), "read_as": list(v.ReadAs),
			"confidence": list(v.Confidence),
		},
		"systems": systems,
	}
}

func asClaim(k catalogue.Claim) map[string]any {
	source := map[string]any{
		"url": k.Source.URL, "title": k.Source.Title, "publisher": k.Source.Publisher,
		"page_date": orNull(k.Source.PageDate.Text),
	}
	m := map[string]any{
		"id": k.ID, "topic": k.Topic, "dimension": k.Dimension, "scope": k.Scope, "stated": k.Stated, "words": k.Words,
		"source": source, "source_kind": k.SourceKind, "read_as": k.ReadAs, "copy_date": orNull(k.Source.CopyDate.Text),
		"confidence": k.Confidence,
	}
	optional(source, "via", k.Source.Via)
	optional(m, "configuration", k.Configuration)
	if k.Status != nil {
		m["status"], m["status_date"] = k.Status.Word, orNull(k.Status.Date.Text)
	}
	return m
}

func asLinks(c *catalogue.Catalogue) map[string]any {
	systems, claims, questions := map[string]any{}, map[string]any{}, map[string]any{}
	for _, s := range c.Systems {
		m := map[string]any{
			"vendor_id": s.VendorID, "vendor": s.Vendor, "product": s.Product, "variant": s.Variant, "kind": s.Kind,
		}
		optional(m, "component_kind", s.ComponentKind)
		systems[s.ID] = m
		for _, k := range s.Claims {
			claims[k.ID] = asClaimLink(k)
			if k.Question != 0 {
				questions[k.ID] = uint64(k.Question)
			}
		}
	}
	return map[string]any{
		"schema_version": uint64(c.SchemaVersion), "systems": systems, "claims": claims, "questions": questions,
	}
}

func asClaimLink(k catalogue.Claim) map[string]any {
	bearsOn := []any{}
	for _, b := range k.BearsOn {
		bearsOn = append(bearsOn, map[string]any{"statement": b.Statement, "polarity": b.Polarity})
	}
	m := map[string]any{"facet": k.Facet, "bears_on": bearsOn, "evidence_kind": k.EvidenceKind}
	if k.Status != nil {
		m["status"] = map[string]any{
			"label": orNull(k.Status.Label), "normalised": k.Status.Normalised, "feature": k.Status.Feature,
		}
	}
	if len(k.Contradicts) > 0 {
		m["contradicts"] = list(k.Contradicts)
	}
	return m
}

func list(words []string) []any {
	all := []any{}
	for _, w := range words {
		all = append(all, w)
	}
	return all
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func optional(m map[string]any, key, s string) {
	if s != "" {
		m[key] = s
	}
}
