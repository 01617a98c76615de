package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Components lists the components in use by short name: those whose name,
// kind, purpose, owner or identity contains find, and which sort after the
// short name after. next is empty on the last page.
func (s *Store) Components(ctx context.Context, a posture.Access, o posture.AsOf, find, after string, limit int) (list []posture.ComponentRow, next string, err error) {
	limit = pageLimit(limit)
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		list, next = nil, ""
		rows, err := t.query(ctx, m, sqlListComponents, pgx.NamedArgs{
			"find": find, "pattern": containing(find), "after": after, "limit": limit + 1,
		})
		if err != nil {
			return fmt.Errorf("list components: %w", err)
		}
		if list, err = pgx.CollectRows(rows, scanComponentRow); err != nil {
			return fmt.Errorf("list components: %w", err)
		}
		if len(list) > limit {
			list, next = list[:limit], list[limit-1].Component.Slug
		}
		return t.countComponents(ctx, m, list)
	})
	return list, next, err
}

// countComponents fills the counts of the rows.
func (t *tx) countComponents(ctx context.Context, m moment, list []posture.ComponentRow) error {
	place := make(map[int64]int, len(list))
	subjects := make([]int64, len(list))
	for i := range list {
		subjects[i] = list[i].Component.Subject
		place[subjects[i]] = i
	}
	labels, err := t.labels(ctx, m, subjects)
	if err != nil {
		return err
	}
	for i := range labels {
		if j := &labels[i]; j.Required && j.Label != posture.LabelNotApplicable {
			countColumn(&list[place[j.Subject]].Counts, j)
		}
	}
	open, err := t.openCounts(ctx, m, subjects)
	for subject, n := range open {
		list[place[subject]].Open = n
	}
	return err
}

func scanComponentRow(row pgx.CollectableRow) (posture.ComponentRow, error) {
	var f componentFields
	var found posture.ComponentRow
	if err := row.Scan(append(f.into(), &found.Users)...); err != nil {
		return found, err
	}
	var err error
	found.Component, err = f.component()
	return found, err
}

const sqlListComponents = `
	select ` + componentColumns + `,
		(select count(*) from runtime_link l
			join runtime_version u on u.runtime_id = l.runtime_id and in_force(u) and not u.retired
			where l.component_id = c.id and in_force(l))
	from (
		select c.id, v.version
		from component c join component_version v on v.component_id = c.id and in_force(v)
		where c.slug > @after and not v.retired
			and (@find = '' or c.slug ilike @pattern or v.name ilike @pattern or v.purpose ilike @pattern or v.owner ilike @pattern
				or v.kind ilike @pattern
				or exists (select from target f where f.subject_id = c.subject_id and known(f)
					and concat_ws(' ', f.vendor, f.product, f.variant, f.version, f.image, f.policy, f.config) ilike @pattern))
		order by c.slug limit @limit) p
	join component c on c.id = p.id join component_version v on v.component_id = p.id and v.version = p.version` + componentTarget + `
	order by c.slug`
