package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Discrepancies lists one kind of discrepancy, newest first, as of the page's
// instant, each with its newest sighting. One is open while evidence of a
// sighting is an open negative, or a refusal of permitted access that was not
// permitted since. next is the keyset of the following page, 0 at the end.
func (s *Store) Discrepancies(ctx context.Context, a posture.Access, o posture.AsOf, f posture.DiscrepancyFilter) (list []posture.Discrepancy, next int64, err error) {
	if f.Kind == "" {
		f.Kind = posture.BoundaryFailed
	}
	limit := pageLimit(f.Limit)
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		f := f
		list = nil
		for {
			found, last, err := t.discrepancies(ctx, m, f, limit+1)
			if err != nil {
				return err
			}
			list = append(list, found...)
			if last == 0 || len(list) > limit {
				return nil
			}
			f.Before = last
		}
	})
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, err
}

// discrepancies reads up to limit rows and keeps those that are open or not, as
// asked. last is the id of the last row where more may follow.
func (t *tx) discrepancies(ctx context.Context, m moment, f posture.DiscrepancyFilter, limit int) (list []posture.Discrepancy, last int64, err error) {
	wanted := f.Open
	if m.apart() {
		// No stored verdict answers for two clocks: openness is judged below.
		wanted = nil
	}
	rows, err := t.query(ctx, m, sqlDiscrepancies, pgx.NamedArgs{
		"kind": f.Kind, "open": wanted, "subject": f.Subject, "runtime": f.Runtime, "owner": f.Owner, "before": f.Before,
		"limit": limit, "id": int64(0),
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list discrepancies: %w", err)
	}
	found, err := pgx.CollectRows(rows, scanDiscrepancy)
	if err != nil {
		return nil, 0, fmt.Errorf("list discrepancies: %w", err)
	}
	if len(found) == limit {
		last = found[limit-1].ID
	}
	if list, err = t.judgeDiscrepancies(ctx, m, found); err != nil {
		return nil, 0, err
	}
	if f.Open != nil {
		list = slices.DeleteFunc(list, func(d posture.Discrepancy) bool { return d.Open != *f.Open })
	}
	var newest []int64
	for i := range list {
		for _, g := range list[i].Sightings {
			newest = append(newest, g.Row)
		}
	}
	return list, last, t.fillSightings(ctx, m, list, newest)
}

// Discrepancy gives one discrepancy with its sightings, newest first, at most
// 500.
func (s *Store) Discrepancy(ctx context.Context, a posture.Access, o posture.AsOf, id int64) (d posture.Discrepancy, err error) {
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		rows, err := t.query(ctx, m, sqlDiscrepancies, pgx.NamedArgs{
			"kind": "", "open": nil, "subject": int64(0), "runtime": "", "owner": "", "before": int64(0), "limit": 1, "id": id,
		})
		if err != nil {
			return fmt.Errorf("read discrepancy %d: %w", id, err)
		}
		found, err := pgx.CollectRows(rows, scanDiscrepancy)
		if err != nil {
			return fmt.Errorf("read discrepancy %d: %w", id, err)
		}
		if len(found) == 0 {
			return posture.NotFoundError(fmt.Sprintf("discrepancy D-%d", id))
		}
		list, err := t.judgeDiscrepancies(ctx, m, found)
		if err != nil {
			return err
		}
		evidence := found[0].evidence[:min(len(found[0].evidence), mostRows)]
		d = list[0]
		d.Sightings = make([]posture.Sighting, len(evidence))
		for i, row := range evidence {
			d.Sightings[i].Row = row
		}
		return t.fillSightings(ctx, m, []posture.Discrepancy{d}, evidence)
	})
	return d, err
}

// discrepancyRow is a discrepancy with the evidence of its sightings, newest
// first.
type discrepancyRow struct {
	posture.Discrepancy
	evidence []int64
	// overBlock says that it shows refusals of permitted access.
	overBlock bool
}

func scanDiscrepancy(row pgx.CollectableRow) (discrepancyRow, error) {
	var d discrepancyRow
	var kind, severity, initial string
	if err := row.Scan(&d.ID, &d.Subject.ID, &kind, &d.Subject.Slug, &d.Subject.Name, &d.Variant, &d.Statement, &d.Case, &d.Path,
		&d.Direction, &d.Kind, &d.OpenedAt, &d.State, &d.Owner, &d.RiskOwner, &severity, &initial, &d.DueAt, &d.Expected, &d.Seen,
		&d.evidence, &d.overBlock); err != nil {
		return d, err
	}
	d.OpenedAt, d.DueAt = d.OpenedAt.UTC(), d.DueAt.UTC()
	var err error
	if d.Subject.Kind, err = posture.ParseSubjectKind(kind); err != nil {
		return d, err
	}
	if d.Severity, err = posture.ParseSeverity(severity); err != nil {
		return d, err
	}
	d.Initial, err = posture.ParseSeverity(initial)
	return d, err
}

// judgeDiscrepancies says of each whether it is open at the moment and how its
// statement reads. Each keeps its newest sighting's row.
func (t *tx) judgeDiscrepancies(ctx context.Context, m moment, found []discrepancyRow) ([]posture.Discrepancy, error) {
	subjects := make([]int64, len(found))
	for i := range found {
		subjects[i] = found[i].Subject.ID
	}
	slices.Sort(subjects)
	verdicts, err := t.verdicts(ctx, m, slices.Compact(subjects))
	if err != nil {
		return nil, err
	}
	list := make([]posture.Discrepancy, len(found))
	for i, d := range found {
		v := verdicts[verdictKey{d.Subject.ID, d.Statement}].Verdict
		d.Open = d.openUnder(&v)
		d.Label = v.Label
		d.State = posture.StateShown(d.State, d.Open, v.Label)
		if len(d.evidence) > 0 {
			d.Sightings = []posture.Sighting{{Row: d.evidence[0]}}
		}
		list[i] = d.Discrepancy
	}
	return list, nil
}

// fillSightings reads the evidence of sightings, known by their rows, into
// them.
func (t *tx) fillSightings(ctx context.Context, m moment, list []posture.Discrepancy, evidence []int64) error {
	records, err := t.records(ctx, m, sqlEvidenceRows, pgx.NamedArgs{"rows": evidence})
	if err != nil {
		return err
	}
	byRow := make(map[int64]posture.Sighting, len(records))
	for i := range records {
		r := &records[i]
		byRow[r.Row] = posture.Sighting{
			Evidence: r.ID, Row: r.Row, SeenAt: r.ObservedAt, RecordedAt: r.RecordedAt, Identity: r.Identity, Words: r.Says(),
		}
	}
	for _, d := range list {
		sightings := d.Sightings
		for i := range sightings {
			sightings[i] = byRow[sightings[i].Row]
		}
	}
	return nil
}

const (
	// A refusal of permitted access is no negative to the judge: what became of
	// it stands in the state (discrepancy_open.go).
	discrepancyOpen = `(v.state <> 'closed' and (d.over_block
		or exists (select from sighting g join verdict j on j.subject_id = d.subject_id and j.statement = d.statement and in_force(j)
			where g.discrepancy_id = d.id and known(g) and (g.evidence_id = any (j.hard) or g.evidence_id = any (j.soft)))))`

	sqlDiscrepancies = `
		select d.id, d.subject_id, s.kind, coalesce(sr.slug, sc.slug), coalesce(srv.name, scv.name), d.variant, d.statement,
			d.case_id, d.path, d.direction, d.kind, d.recorded_at, v.state, v.owner, v.risk_owner, v.severity, v.initial, v.due_at,
			v.expected, v.seen,
			array(select g.evidence_id from sighting g where g.discrepancy_id = d.id and known(g) order by g.evidence_id desc),
			d.over_block
		from discrepancy d join discrepancy_version v on v.discrepancy_id = d.id and in_force(v)
		join subject s on s.id = d.subject_id` + subjectNames + `
		where known(d) and (@kind::text = '' or d.kind = @kind) and (@before::bigint = 0 or d.id < @before)
			and (@id::bigint = 0 or d.id = @id)
			and (@subject::bigint = 0 or d.subject_id = @subject)
			and (@runtime::text = '' or d.subject_id in (` + subjectsOfRuntime + `))
			and (@owner::text = '' or lower(v.owner) = lower(@owner) or lower(v.risk_owner) = lower(@owner))
			and (@open::boolean is null or @open = ` + discrepancyOpen + `)
		order by d.id desc limit @limit`
)
