package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// links gives the receivers that the runtimes use, by runtime and slug.
func (t *tx) links(ctx context.Context, m moment, runtimes []int64) ([]posture.Link, error) {
	return t.collectLinks(ctx, m, sqlLinksOfRuntimes, runtimes)
}

// users gives the runtimes that use a receiver, by slug; retired ones are left
// out.
func (t *tx) users(ctx context.Context, m moment, component int64) ([]posture.Link, error) {
	return t.collectLinks(ctx, m, sqlLinksOfComponents, []int64{component})
}

func (t *tx) collectLinks(ctx context.Context, m moment, text string, ids []int64) ([]posture.Link, error) {
	rows, err := t.query(ctx, m, text, pgx.NamedArgs{"ids": ids})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.Link, error) {
		var l posture.Link
		l.Component.Kind = posture.Receiver
		err := row.Scan(&l.Runtime.ID, &l.Runtime.Slug, &l.Runtime.Name, &l.Component.ID, &l.Component.Slug, &l.Component.Name,
			&l.Kind, &l.Owner, &l.From)
		l.From = l.From.UTC()
		return l, err
	})
}

const (
	linkColumns = `r.subject_id, r.slug, rv.name, c.subject_id, c.slug, cv.name, cv.kind, cv.owner, l.recorded_from`

	linkTables = `runtime_link l
		join runtime r on r.id = l.runtime_id join runtime_version rv on rv.runtime_id = r.id and in_force(rv)
		join component c on c.id = l.component_id join component_version cv on cv.component_id = c.id and in_force(cv)`

	sqlLinksOfRuntimes = `
		select ` + linkColumns + ` from ` + linkTables + `
		where l.runtime_id = any (@ids) and in_force(l) order by r.slug, c.slug`

	sqlLinksOfComponents = `
		select ` + linkColumns + ` from ` + linkTables + `
		where l.component_id = any (@ids) and in_force(l) and not rv.retired order by r.slug, c.slug`
)
