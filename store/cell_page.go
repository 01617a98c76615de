package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// contrasts names, for a dimension, the other column's one that a reader must
// not take it for.
var contrasts = map[string]string{
	"PE": "AD", "FS": "AD", "ME": "AD", "CD": "AD", "AD": "FS", "NW": "TL", "TL": "NW",
}

// CellPage gives one cell of a runtime with the facts of each of its
// statements, on the unit and on each linked receiver.
func (s *Store) CellPage(ctx context.Context, a posture.Access, o posture.AsOf, slug, dimension string) (page posture.CellPage, err error) {
	lib, err := loadShelf()
	if err != nil {
		return page, err
	}
	if _, ok := lib.Dimension(dimension); !ok {
		return page, posture.NotFoundError("dimension")
	}
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		page = posture.CellPage{Dimension: dimension}
		var err error
		if page.Runtime, err = t.runtimeAt(ctx, slug, m); err != nil {
			return err
		}
		in := func(code, statement string) bool {
			s, ok := lib.Statement(statement)
			return ok && s.Dimension == code
		}
		other := contrasts[dimension]
		pick := cellPick{
			which: posture.DiscrepancyFilter{Runtime: slug},
			show:  func(statement string) bool { return in(dimension, statement) || in(other, statement) },
			open:  func(statement string) bool { return in(dimension, statement) },
		}
		rows, list, err := t.cellItems(ctx, lib, m, &pick)
		if err != nil {
			return err
		}
		page.Items, page.Contrast = rows, pick.rest
		if err := t.carryRows(ctx, page.Contrast); err != nil {
			return err
		}
		all := cells(lib, &page.Runtime, list)
		page.Cell = all[slices.IndexFunc(all, func(c posture.Cell) bool { return c.Dimension == dimension })]
		return nil
	})
	return page, err
}

// StatementPage gives one statement of one subject with its facts.
func (s *Store) StatementPage(ctx context.Context, a posture.Access, o posture.AsOf, subject int64, statement string) (item posture.CellItem, err error) {
	lib, err := loadShelf()
	if err != nil {
		return item, err
	}
	if _, ok := lib.Statement(statement); !ok {
		return item, posture.NotFoundError("statement")
	}
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		only := func(id string) bool { return id == statement }
		pick := cellPick{which: posture.DiscrepancyFilter{Subject: subject}, show: only, open: only, always: statement}
		items, _, err := t.cellItems(ctx, lib, m, &pick)
		if err != nil {
			return err
		}
		item = items[0]
		return nil
	})
	return item, err
}

// cellPick says what a cell page reads.
type cellPick struct {
	// which names the subjects: those of a runtime, or one.
	which posture.DiscrepancyFilter
	// show lets the statements through that are read, open those whose facts
	// are; the others' rows are left in rest.
	show, open func(statement string) bool
	rest       []posture.StatementRow
	// always is a statement that is there even where nothing speaks of it.
	always string
}

// cellItems reads the items of a cell and the verdicts they roll up to.
func (t *tx) cellItems(ctx context.Context, lib *shelf, m moment, pick *cellPick) ([]posture.CellItem, []judged, error) {
	subjects, err := t.cellSubjects(ctx, m, &pick.which)
	if err != nil {
		return nil, nil, err
	}
	refs := make([]posture.SubjectRef, len(subjects))
	by := make(map[int64]*cellSubject, len(subjects))
	for i := range subjects {
		refs[i], by[subjects[i].ref.ID] = subjects[i].ref, &subjects[i]
	}
	rows, verdicts, err := t.statementRows(ctx, lib, m, refs, pick.show)
	if err != nil {
		return nil, nil, err
	}
	if pick.always != "" && len(rows) == 0 {
		rows = []posture.StatementRow{{Subject: refs[0], Statement: pick.always, Verdict: nobody()}}
	}
	open, err := t.openOn(ctx, m, pick.which, rows)
	if err != nil {
		return nil, nil, err
	}
	var items []posture.CellItem
	var statements []string
	for _, row := range rows {
		if !pick.open(row.Statement) {
			pick.rest = append(pick.rest, row)
			continue
		}
		items = append(items, by[row.Subject.ID].item(row))
		statements = append(statements, row.Statement)
	}
	verdicts = slices.DeleteFunc(verdicts, func(j judged) bool { return !pick.open(j.Statement) })
	if err := t.fillItems(ctx, m, subjectIDs(refs), statements, items); err != nil {
		return nil, nil, err
	}
	nameOpen(items, open)
	return items, verdicts, nil
}

// nameOpen gives each item its first open discrepancy, with the sightings that
// the item's records show.
func nameOpen(items []posture.CellItem, open []discrepancyRow) {
	for i := range items {
		item := &items[i]
		at := slices.IndexFunc(open, func(d discrepancyRow) bool { return d.ID == item.Row.Discrepancy })
		if at < 0 {
			continue
		}
		d := open[at].Discrepancy
		d.Open, d.Label = true, item.Row.Verdict.Label
		d.State = posture.StateShown(d.State, d.Open, d.Label)
		for _, row := range open[at].evidence {
			if r, ok := item.Records[evidenceID(row)]; ok {
				d.Sightings = append(d.Sightings, posture.Sighting{
					Evidence: r.ID, Row: r.Row, SeenAt: r.ObservedAt, RecordedAt: r.RecordedAt, Identity: r.Identity, Words: r.Says(),
				})
			}
		}
		item.Discrepancy = &d
	}
}

// cellSubject is a subject with what judging on it needs at a moment.
type cellSubject struct {
	ref         posture.SubjectRef
	criticality posture.Criticality
	target      posture.Target
	windows     posture.Windows
}

// item begins the item of a row: its facts without the records.
func (c *cellSubject) item(row posture.StatementRow) posture.CellItem {
	windows := c.windows
	item := posture.CellItem{
		Row: row, Target: c.target, Records: map[string]posture.Record{},
		Facts: posture.Facts{
			Statement: row.Statement, Subject: c.ref.Kind, Criticality: c.criticality, Target: c.target.Identity,
			Required: posture.Tested, Windows: &windows,
		},
	}
	if row.HasRequired {
		item.Facts.Required, item.Facts.Paths = row.Requirement.Rung, row.Requirement.Paths
	}
	return item
}

// cellSubjects gives the unit, then the receivers by short name; or the one
// subject asked for.
func (t *tx) cellSubjects(ctx context.Context, m moment, which *posture.DiscrepancyFilter) ([]cellSubject, error) {
	rows, err := t.query(ctx, m, sqlCellSubjects, pgx.NamedArgs{"subject": which.Subject, "runtime": which.Runtime})
	if err != nil {
		return nil, fmt.Errorf("read the subjects of the cell: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (cellSubject, error) {
		var c cellSubject
		var kind, criticality string
		var id *int64
		var at *time.Time
		var by, reason *string
		var facets []string
		var policy []byte
		if err := row.Scan(&c.ref.ID, &kind, &c.ref.Slug, &c.ref.Name, &criticality, &id, &at, &by, &reason, &facets, &policy); err != nil {
			return c, err
		}
		c.target = targetFrom(c.ref.ID, id, at, by, reason, facets)
		var err error
		if c.ref.Kind, err = posture.ParseSubjectKind(kind); err != nil {
			return c, err
		}
		if c.criticality, err = posture.ParseCriticality(criticality); err != nil {
			return c, err
		}
		c.windows, err = windowsFrom(policy)
		return c, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the subjects of the cell: %w", err)
	}
	if len(list) == 0 {
		return nil, posture.NotFoundError("runtime or component")
	}
	return list, nil
}

const sqlCellSubjects = `
	select s.id, s.kind, coalesce(sr.slug, sc.slug), coalesce(srv.name, scv.name), coalesce(srv.criticality, scv.criticality),
		g.id, g.recorded_at, actor_name(g.recorded_by), g.reason, g.identity,
		(select p.body from policy p where known(p) order by p.version desc limit 1)
	from subject s` + subjectNames + `
	left join lateral (` + sqlTargetInForce + ` where g.subject_id = s.id and known(g)
		order by g.recorded_at desc, g.id desc limit 1) g on true
	where coalesce(srv.runtime_id, scv.component_id) is not null
		and case when @runtime::text = '' then s.id = @subject::bigint else s.id in (` + subjectsOfRuntime + `) end
	order by s.kind desc, 3`
