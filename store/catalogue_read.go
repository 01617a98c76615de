package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// CatalogueSystems lists the systems of the catalogue by vendor and name, as
// of the page's instant: those whose name, vendor, product or alias contains
// find, of one kind if kind is given.
func (s *Store) CatalogueSystems(ctx context.Context, a posture.Access, o posture.AsOf, find, kind string) (list []posture.CatalogueRow, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		list = nil
		rows, err := t.query(ctx, t.moment(o), sqlCatalogueRows, pgx.NamedArgs{"find": find, "kind": kind, "id": ""})
		if err != nil {
			return fmt.Errorf("list the catalogue: %w", err)
		}
		_, err = collectCatalogue(rows, func(c posture.CatalogueSystem) { list = append(list, c.CatalogueRow) })
		return err
	})
	return list, err
}

// CatalogueSystem gives one system with its claims, in the catalogue's order,
// and the runtimes in reach that run on it.
func (s *Store) CatalogueSystem(ctx context.Context, a posture.Access, o posture.AsOf, id string) (c posture.CatalogueSystem, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		m := t.moment(o)
		rows, err := t.query(ctx, m, sqlCatalogueRows, pgx.NamedArgs{"find": "", "kind": "", "id": id})
		if err != nil {
			return fmt.Errorf("read the catalogue: %w", err)
		}
		n, err := collectCatalogue(rows, func(found posture.CatalogueSystem) { c = found })
		if err == nil && n == 0 {
			err = posture.NotFoundError("system in the catalogue")
		}
		if err != nil {
			return err
		}
		if c.Claims, err = t.catalogueClaims(ctx, m, id); err != nil {
			return err
		}
		c.Runtimes, err = t.runtimesOn(ctx, m, id)
		return err
	})
	return c, err
}

func collectCatalogue(rows pgx.Rows, take func(posture.CatalogueSystem)) (int, error) {
	n := 0
	for rows.Next() {
		var c posture.CatalogueSystem
		var seen *time.Time
		if err := rows.Scan(&c.ID, &c.Name, &c.VendorID, &c.Vendor, &c.Product, &c.Variant, &c.Kind, &c.Category, &c.Aliases,
			&c.Stated, &c.Unstated, &c.Status, &c.Label, &seen, &c.CatalogueRow.Runtimes); err != nil {
			rows.Close()
			return n, fmt.Errorf("read the catalogue: %w", err)
		}
		c.SeenOn = instant(seen)
		take(c)
		n++
	}
	if err := rows.Err(); err != nil {
		return n, fmt.Errorf("read the catalogue: %w", err)
	}
	return n, nil
}

func (t *tx) catalogueClaims(ctx context.Context, m moment, system string) ([]posture.CatalogueClaim, error) {
	rows, err := t.query(ctx, m, sqlCatalogueClaims, pgx.NamedArgs{"id": system})
	if err != nil {
		return nil, fmt.Errorf("read the claims of %s: %w", system, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.CatalogueClaim, error) {
		var id string
		var stated bool
		var seen time.Time
		var text []byte
		if err := row.Scan(&id, &stated, &seen, &text); err != nil {
			return posture.CatalogueClaim{}, err
		}
		var body claimBody
		if err := json.Unmarshal(text, &body); err != nil {
			return posture.CatalogueClaim{}, err
		}
		c, err := body.claim()
		c.ID, c.System, c.Stated, c.SeenOn = id, system, stated, seen.UTC()
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the claims of %s: %w", system, err)
	}
	return list, nil
}

func (t *tx) runtimesOn(ctx context.Context, m moment, system string) ([]posture.SubjectRef, error) {
	rows, err := t.query(ctx, m, sqlRuntimesOn, pgx.NamedArgs{"id": system})
	if err != nil {
		return nil, fmt.Errorf("read the runtimes on %s: %w", system, err)
	}
	list, err := pgx.CollectRows(rows, scanSubject)
	if err != nil {
		return nil, fmt.Errorf("read the runtimes on %s: %w", system, err)
	}
	return list, nil
}

const (
	// runningNow are the runtimes in reach, retired ones left out, with the
	// target in force at the moment. A target names its vendor by name or by id.
	runningNow = `
		runtime r join runtime_version v on v.runtime_id = r.id and in_force(v) and not v.retired
		join lateral (select lower(g.vendor) vendor, lower(g.product) product, lower(g.variant) variant from target g
			where g.subject_id = r.subject_id and known(g) order by g.recorded_at desc, g.id desc limit 1) g on true`

	runsOn = `g.vendor in (lower(c.vendor), c.vendor_id) and g.product = lower(c.product) and g.variant = lower(c.variant)`

	sqlCatalogueRows = `
		with claim as (
			select system_id, stated, seen_on, body, id from catalogue_claim k where in_force(k)),
		running as (select g.* from ` + runningNow + `)
		select c.id, c.name, c.vendor_id, c.vendor, c.product, c.variant, c.kind, c.category, c.aliases,
			coalesce(n.stated, 0), coalesce(n.unstated, 0), coalesce(st.status, ''), coalesce(st.label, ''), n.seen_on,
			(select count(*) from running g where ` + runsOn + `)
		from catalogue_system c
		left join (select system_id, count(*) filter (where stated) stated, count(*) filter (where not stated) unstated,
			max(seen_on)::timestamptz seen_on from claim group by system_id) n on n.system_id = c.id
		left join lateral (select body ->> 'status' status, body ->> 'status_label' label from claim k
			where k.system_id = c.id and k.stated and k.body ->> 'status' <> '' order by k.seen_on desc, k.id limit 1) st on true
		where in_force(c) and (@id::text = '' or c.id = @id) and (@kind::text = '' or c.kind = @kind)
			and (@find::text = '' or position(lower(@find) in lower(c.name || E'\n' || c.vendor || E'\n' || c.product || E'\n' ||
				array_to_string(c.aliases, E'\n'))) > 0)
		order by lower(c.vendor), lower(c.name), c.id`

	sqlCatalogueClaims = `
		select k.id, k.stated, k.seen_on::timestamptz, k.body from catalogue_claim k
		where k.system_id = @id and in_force(k) order by k.position, k.id`

	sqlRuntimesOn = `
		select r.subject_id, 'unit', r.slug, v.name from ` + runningNow + `
		join catalogue_system c on c.id = @id and in_force(c) and ` + runsOn + `
		order by r.slug`
)
