package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

const (
	// dueRows is how many due things a page tells; the rest is counted.
	dueRows = 20
	// lapsesWithin is how early a lapsing acceptance is told.
	lapsesWithin = 14 * posture.Day
)

// dueRow is one due thing as it is read.
type dueRow struct {
	kind, subjectKind, slug, word string
	id                            int64
	statements                    []string
	due                           *time.Time
	severity                      string
}

// dueItems gives what is due from the reader, known by name: open
// discrepancies and lapsing acceptances where they own or carry the risk;
// undecided intents, statements without an owner and stale statements where
// they own. The most pressing come first.
func (t *tx) dueItems(ctx context.Context, lib *shelf, m moment) (items []posture.DueItem, total int, err error) {
	me := strings.ToLower(strings.TrimSpace(t.access.Name))
	if me == "" {
		return nil, 0, nil
	}
	codes := make([]string, 0, 11)
	for _, d := range lib.Dimensions() {
		codes = append(codes, d.Code)
	}
	rows, err := t.query(ctx, m, sqlDue, pgx.NamedArgs{
		"me": me, "actor": t.access.Actor, "dimensions": codes, "soon": m.at.Add(lapsesWithin), "limit": dueRows,
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read what is due: %w", err)
	}
	items, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.DueItem, error) {
		var d dueRow
		if err := row.Scan(&d.kind, &d.subjectKind, &d.slug, &d.id, &d.word, &d.statements, &d.due, &d.severity, &total); err != nil {
			return posture.DueItem{}, err
		}
		return d.item(lib)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read what is due: %w", err)
	}
	return items, total, nil
}

func (d *dueRow) item(lib *shelf) (posture.DueItem, error) {
	if d.kind != "undecided" {
		slices.SortFunc(d.statements, lib.compare)
	}
	item := posture.DueItem{Kind: d.kind, Due: instant(d.due), Href: d.page()}
	n, list := len(d.statements), shortList(d.statements)
	switch d.kind {
	case "discrepancy":
		item.Text = fmt.Sprintf("D-%d %s at %s: %s", d.id, list, d.slug, d.word)
		item.Href = fmt.Sprintf("/discrepancies/%d", d.id)
	case "acceptance":
		item.Text = fmt.Sprintf("%s on %s at %s: decide, or what it carries stands uncovered", acceptanceID(d.id), list, d.slug)
		item.Href = d.statementPage(lib)
	case "undecided":
		item.Text = fmt.Sprintf("%s: nobody has said whether a boundary is intended for %s", d.slug, list)
	case "unowned":
		item.Text = fmt.Sprintf("%s: %s without an owner: %s", d.slug, counted(n, "statement"), list)
	case "stale":
		item.Text = fmt.Sprintf("%s: %s stale: %s", d.slug, counted(n, "required statement"), list)
		if n == 1 {
			item.Href = d.statementPage(lib)
		}
	}
	if d.severity == "" {
		return item, nil
	}
	var err error
	item.Severity, err = posture.ParseSeverity(d.severity)
	item.Graded = true
	return item, err
}

// page is the address of the subject's page.
func (d *dueRow) page() string { return subjectPage(d.subjectKind, d.slug) }

func subjectPage(kind, slug string) string {
	if kind == posture.Unit.String() {
		return "/runtimes/" + slug
	}
	return "/dependencies/" + slug
}

// statementPage is the address of the cell that explains the statement.
func (d *dueRow) statementPage(lib *shelf) string {
	return statementHref(lib, d.subjectKind, d.slug, d.statements[0])
}

// statementHref is the address of the explanation of one statement: the
// runtime's cell, or the component's own.
func statementHref(lib *shelf, kind, slug, statement string) string {
	s, ok := lib.Statement(statement)
	if ok && kind == posture.Unit.String() {
		return "/runtimes/" + slug + "/cells/" + s.Dimension + "#" + statement
	}
	return subjectPage(kind, slug) + "#" + statement
}

// shortList names up to five things.
func shortList(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", len(names)-5)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

const sqlDue = `
	with owned as (
		select r.subject_id, 'unit' kind, r.slug, v.owner, v.risk_owner, v.intents
		from runtime r join runtime_version v on v.runtime_id = r.id and in_force(v) and not v.retired
		union all
		select c.subject_id, 'receiver', c.slug, v.owner, v.risk_owner, null
		from component c join component_version v on v.component_id = c.id and in_force(v) and not v.retired
	),
	mine as materialized (select subject_id, kind, slug, intents from owned where lower(owner) = @me),
	named as materialized (
		select v.discrepancy_id, v.state, v.seen, v.due_at, v.severity
		from discrepancy_version v
		where in_force(v) and (v.owner_key = @me or v.risk_owner_key = @me)
	),
	asked as materialized (
		select q.subject_id, q.statement, true named
		from requirement_version q
		where in_force(q) and q.wanted <> 'not_intended' and q.owner_key = @me
		union all
		select q.subject_id, q.statement, false
		from requirement_version q
		where in_force(q) and q.wanted <> 'not_intended' and q.owner = '' and q.subject_id = any (array(select subject_id from mine))
	),
	due as (
		select 'discrepancy' kind, o.kind subject_kind, o.slug, d.id, v.seen word, array[d.statement] statements,
			v.due_at due, v.severity
		from named v join discrepancy d on d.id = v.discrepancy_id
		join owned o on o.subject_id = d.subject_id
		where d.kind = 'boundary_failed' and known(d) and ` + discrepancyOpen + `
		union all
		select 'acceptance', o.kind, o.slug, a.id, '', array[a.statement], a.expires_at, a.severity
		from acceptance a
		join verdict j on j.subject_id = a.subject_id and j.statement = a.statement and in_force(j) and j.acceptance_id = a.id
		join owned o on o.subject_id = a.subject_id
		where a.expires_at > @at and a.expires_at <= @soon and known(a)
			and (lower(o.owner) = @me or lower(o.risk_owner) = @me or a.recorded_by = @actor)
		union all
		select 'stale', o.kind, o.slug, 0, '', array_agg(j.statement), min(j.recorded_from), ''
		from asked q
		join owned o on o.subject_id = q.subject_id
		cross join lateral (
			select j.statement, j.recorded_from from verdict j
			where j.subject_id = q.subject_id and j.statement = q.statement and in_force(j)
				and j.label = 'stale' and j.required and j.changes_at > @at limit 1) j
		group by o.kind, o.slug
		union all
		select 'undecided', n.kind, n.slug, 0, '', n.open, null, ''
		from (
			select m.kind, m.slug, array(
				select d from unnest(@dimensions::text[]) d
				where coalesce(m.intents -> d ->> 'purpose', 'undecided') = 'undecided') open
			from mine m where m.kind = 'unit') n
		where cardinality(n.open) > 0
		union all
		select 'unowned', o.kind, o.slug, 0, '', array_agg(q.statement), null, ''
		from asked q join mine o on o.subject_id = q.subject_id
		where not q.named
		group by o.kind, o.slug
	)
	select kind, subject_kind, slug, id, word, statements, due, severity, count(*) over ()
	from due order by due nulls last, kind, slug, id limit @limit`
