package store

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// LoadCatalogue brings the kept catalogue up to the one given: systems and
// claims that changed get a new version, those that are gone are ended, all
// others are untouched. It gives how many systems and claims changed; the same
// data again changes nothing. It needs EditInventory and every portfolio.
func (s *Store) LoadCatalogue(ctx context.Context, a posture.Access, systems []posture.CatalogueSystem) (changed int, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return 0, err
	}
	if !a.AllPortfolios {
		return 0, &posture.Error{Kind: posture.Forbidden, Text: "The catalogue belongs to every portfolio. Ask an administrator to load it."}
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		if _, err := t.Exec(ctx, `select pg_advisory_xact_lock(hashtext('demarc.catalogue'))`); err != nil {
			return fmt.Errorf("lock the catalogue: %w", err)
		}
		wantSystems, wantClaims := catalogueRows(systems)
		n, err := loadVersions(ctx, t, catalogueSystems, wantSystems)
		if err != nil {
			return err
		}
		more, err := loadVersions(ctx, t, catalogueClaims, wantClaims)
		changed = n + more
		return err
	})
	return changed, err
}

// catalogueSystemRow is a system as it is kept.
type catalogueSystemRow struct {
	ID       string   `json:"id"`
	VendorID string   `json:"vendor_id"`
	Vendor   string   `json:"vendor"`
	Product  string   `json:"product"`
	Variant  string   `json:"variant"`
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Category string   `json:"category"`
	Aliases  []string `json:"aliases"`
}

func (r catalogueSystemRow) id() string { return r.ID }

// catalogueClaimRow is a claim as it is kept.
type catalogueClaimRow struct {
	ID       string    `json:"id"`
	System   string    `json:"system_id"`
	Position int       `json:"position"`
	Stated   bool      `json:"stated"`
	SeenOn   string    `json:"seen_on"` // YYYY-MM-DD
	Body     claimBody `json:"body"`
}

func (r catalogueClaimRow) id() string { return r.ID }

// claimBody is what a claim says beside what is asked for in SQL.
type claimBody struct {
	Topic         string    `json:"topic"`
	Dimension     string    `json:"dimension"`
	Facet         string    `json:"facet"`
	Scope         string    `json:"scope"`
	Words         string    `json:"words"`
	Configuration string    `json:"configuration,omitempty"`
	URL           string    `json:"url"`
	Title         string    `json:"title"`
	Publisher     string    `json:"publisher"`
	PageDate      string    `json:"page_date,omitempty"`
	SeenBasis     string    `json:"seen_basis"`
	SourceKind    string    `json:"source_kind"`
	ReadAs        string    `json:"read_as"`
	Confidence    string    `json:"confidence"`
	EvidenceKind  string    `json:"evidence_kind"`
	BearsOn       []bearing `json:"bears_on,omitempty"`
	Contradicts   []string  `json:"contradicts,omitempty"`
	StatusLabel   string    `json:"status_label,omitempty"`
	Status        string    `json:"status,omitempty"`
	StatusFeature string    `json:"status_feature,omitempty"`
	Question      int       `json:"question,omitempty"`
}

type bearing struct {
	Statement string `json:"statement"`
	Polarity  string `json:"polarity"`
}

func catalogueRows(systems []posture.CatalogueSystem) (rows []catalogueSystemRow, claims []catalogueClaimRow) {
	for i := range systems {
		s := &systems[i]
		aliases := s.Aliases
		if aliases == nil {
			aliases = []string{}
		}
		rows = append(rows, catalogueSystemRow{
			ID: s.ID, VendorID: s.VendorID, Vendor: s.Vendor, Product: s.Product, Variant: s.Variant, Name: s.Name, Kind: s.Kind,
			Category: s.Category, Aliases: aliases,
		})
		for n := range s.Claims {
			c := &s.Claims[n]
			claims = append(claims, catalogueClaimRow{
				ID: c.ID, System: s.ID, Position: n, Stated: c.Stated, SeenOn: c.SeenOn.Format(time.DateOnly), Body: bodyOf(c),
			})
		}
	}
	return rows, claims
}

func bodyOf(c *posture.CatalogueClaim) claimBody {
	b := claimBody{
		Topic: c.Topic, Dimension: c.Dimension, Facet: c.Facet, Scope: c.Scope, Words: c.Words, Configuration: c.Configuration,
		URL: c.URL, Title: c.Title, Publisher: c.Publisher, PageDate: c.PageDate, SeenBasis: c.SeenBasis, SourceKind: c.SourceKind,
		ReadAs: c.ReadAs, Confidence: c.Confidence, EvidenceKind: c.EvidenceKind, StatusLabel: c.StatusLabel, Status: c.Status,
		StatusFeature: c.StatusFeature, Question: c.Question,
	}
	if len(c.Contradicts) > 0 {
		b.Contradicts = c.Contradicts
	}
	for _, on := range c.BearsOn {
		b.BearsOn = append(b.BearsOn, bearing{on.Statement, on.Polarity.String()})
	}
	return b
}

func (b *claimBody) claim() (posture.CatalogueClaim, error) {
	c := posture.CatalogueClaim{
		Topic: b.Topic, Dimension: b.Dimension, Facet: b.Facet, Scope: b.Scope, Words: b.Words, Configuration: b.Configuration,
		URL: b.URL, Title: b.Title, Publisher: b.Publisher, PageDate: b.PageDate, SeenBasis: b.SeenBasis, SourceKind: b.SourceKind,
		ReadAs: b.ReadAs, Confidence: b.Confidence, EvidenceKind: b.EvidenceKind, Contradicts: b.Contradicts,
		StatusLabel: b.StatusLabel, Status: b.Status, StatusFeature: b.StatusFeature, Question: b.Question,
	}
	for _, on := range b.BearsOn {
		polarity, err := posture.ParsePolarity(on.Polarity)
		if err != nil {
			return c, err
		}
		c.BearsOn = append(c.BearsOn, posture.Bearing{Statement: on.Statement, Polarity: polarity})
	}
	return c, nil
}

// versioned is a table of the catalogue: how its rows in force are read as
// JSON, ended and opened.
type versioned struct {
	current string
	end     string
	open    string
}

// loadVersions ends the rows in force that are no longer wanted as they stand,
// and opens what is new. It gives how many ids changed.
func loadVersions[R interface{ id() string }](ctx context.Context, t *tx, table versioned, want []R) (changed int, err error) {
	rows, err := t.Query(ctx, table.current)
	if err != nil {
		return 0, fmt.Errorf("read the catalogue: %w", err)
	}
	now := map[string]R{}
	var body []byte
	var from time.Time
	if _, err := pgx.ForEachRow(rows, []any{&body, &from}, func() error {
		var r R
		if err := json.Unmarshal(body, &r); err != nil {
			return err
		}
		now[r.id()] = r
		if !t.now.After(from) {
			t.now = from.UTC().Add(posture.Tick)
		}
		return nil
	}); err != nil {
		return 0, fmt.Errorf("read the catalogue: %w", err)
	}
	var ended []string
	var opened []R
	for _, w := range want {
		before, known := now[w.id()]
		delete(now, w.id())
		if known && reflect.DeepEqual(before, w) {
			continue
		}
		opened = append(opened, w)
		changed++
		if known {
			ended = append(ended, w.id())
		}
	}
	for id := range now {
		ended = append(ended, id)
		changed++
	}
	slices.Sort(ended)
	return changed, t.writeCatalogue(ctx, table, ended, opened, len(opened))
}

func (t *tx) writeCatalogue(ctx context.Context, table versioned, ended []string, opened any, count int) error {
	if len(ended) > 0 {
		if _, err := t.Exec(ctx, table.end, ended, t.now); err != nil {
			return fmt.Errorf("end what the catalogue no longer says: %w", err)
		}
	}
	if count == 0 {
		return nil
	}
	body, err := json.Marshal(opened)
	if err != nil {
		return fmt.Errorf("write the catalogue: %w", err)
	}
	if _, err := t.Exec(ctx, table.open, body, t.now); err != nil {
		return fmt.Errorf("write the catalogue: %w", err)
	}
	return nil
}

var catalogueSystems = versioned{
	current: `select to_jsonb(c), recorded_from from catalogue_system c where recorded_to = 'infinity'`,
	end:     `update catalogue_system set recorded_to = $2 where id = any ($1) and recorded_to = 'infinity'`,
	open: `
		insert into catalogue_system (id, recorded_from, vendor_id, vendor, product, variant, name, kind, category, aliases)
		select id, $2, vendor_id, vendor, product, variant, name, kind, category, aliases
		from jsonb_to_recordset($1::jsonb) i (id text, vendor_id text, vendor text, product text, variant text, name text, kind text,
			category text, aliases text[])`,
}

var catalogueClaims = versioned{
	current: `select to_jsonb(c), recorded_from from catalogue_claim c where recorded_to = 'infinity'`,
	end:     `update catalogue_claim set recorded_to = $2 where id = any ($1) and recorded_to = 'infinity'`,
	open: `
		insert into catalogue_claim (id, recorded_from, system_id, position, stated, seen_on, body)
		select id, $2, system_id, position, stated, seen_on, body
		from jsonb_to_recordset($1::jsonb) i (id text, system_id text, position integer, stated boolean, seen_on date, body jsonb)`,
}
