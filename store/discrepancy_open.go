package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// openDiscrepancies opens or sights again the discrepancy of every record
// among these that stands against its statement or refuses permitted access,
// and gives their ids, sorted. A discrepancy is (subject, variant, statement,
// case, path, direction); the target belongs to the sighting (DESIGN.md §13).
// The caller holds lockSubjects. What else the records bring, such as a permit
// that passes again, is looked at too.
func (t *tx) openDiscrepancies(ctx context.Context, evidence []int64) (ids []int64, err error) {
	var subjects []int64
	for chunk := range slices.Chunk(evidence, sightedAtOnce) {
		records, err := t.records(ctx, t.nowMoment(), sqlEvidenceRows, pgx.NamedArgs{"rows": chunk})
		if err != nil {
			return nil, err
		}
		for i := range records {
			subjects = append(subjects, records[i].Subject.ID)
		}
		slices.Sort(subjects)
		subjects = slices.Compact(subjects)
		records = slices.DeleteFunc(records, func(r posture.Record) bool { return !r.Negative() && !r.OverBlock() })
		sighted, err := t.sight(ctx, records)
		if err != nil {
			return nil, err
		}
		ids = append(ids, sighted...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), t.reviewOverBlocks(ctx, subjects)
}

// sightedAtOnce bounds a statement and its audit row: a file may hold a million
// failures.
const sightedAtOnce = 5000

// sightedAs is a record with the discrepancy that it shows.
type sightedAs struct {
	N         int    `json:"n"`
	Subject   int64  `json:"subject_id"`
	Variant   string `json:"variant"`
	Statement string `json:"statement"`
	Case      string `json:"case_id"`
	Path      string `json:"path"`
	Direction string `json:"direction"`
	OverBlock bool   `json:"over_block"`
	Owner     string `json:"owner"`
	RiskOwner string `json:"risk_owner"`
	Severity  string `json:"severity"`
	Due       string `json:"due_at"`
	Expected  string `json:"expected"`
	Seen      string `json:"seen"`
	Evidence  int64  `json:"evidence_id"`
	Target    *int64 `json:"target_id"`
}

func (t *tx) sight(ctx context.Context, records []posture.Record) ([]int64, error) {
	if len(records) == 0 {
		return nil, nil
	}
	sighted, err := t.sighted(ctx, records)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(sighted)
	if err != nil {
		return nil, fmt.Errorf("open discrepancies: %w", err)
	}
	if _, err := t.Exec(ctx, sqlInsertDiscrepancies, body, posture.BoundaryFailed, t.now); err != nil {
		return nil, fmt.Errorf("open discrepancies: %w", err)
	}
	if _, err := t.Exec(ctx, sqlInsertFirstVersions, body, posture.BoundaryFailed, t.now, t.access.Actor); err != nil {
		return nil, fmt.Errorf("open discrepancies: %w", err)
	}
	rows, err := t.Query(ctx, sqlInsertSightings, body, posture.BoundaryFailed, t.now)
	if err != nil {
		return nil, fmt.Errorf("record sightings: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return nil, fmt.Errorf("record sightings: %w", err)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids, t.setState(ctx, ids, "closed", "open")
}

// sighted says what each record shows, who answers for it, how severe it is
// and on which target it was seen.
func (t *tx) sighted(ctx context.Context, records []posture.Record) ([]sightedAs, error) {
	var subjects []int64
	for i := range records {
		subjects = append(subjects, records[i].Subject.ID)
	}
	holders, err := t.holders(ctx, subjects)
	if err != nil {
		return nil, err
	}
	frames, err := t.frames(ctx, subjects)
	if err != nil {
		return nil, err
	}
	sighted := make([]sightedAs, len(records))
	for i := range records {
		r := &records[i]
		h := holders[r.Subject.ID]
		severity := posture.FirstSeverity(&r.Evidence, h.Stakes)
		s := sightedAs{
			N: i, Subject: r.Subject.ID, Variant: r.Identity[posture.Variant], Statement: r.Statement, Case: r.Case, Path: r.Path,
			Direction: r.Direction, OverBlock: r.OverBlock(), Owner: h.Owner, RiskOwner: h.RiskOwner, Severity: severity.String(),
			Due: t.now.Add(severity.DueIn()).Format(stamp), Expected: r.Wants(), Seen: r.Says(), Evidence: r.Row,
		}
		f := frames[r.Subject.ID]
		if s.Variant == "" {
			s.Variant = f.targetAt(t.now).Identity[posture.Variant]
		}
		s.Target = seenOn(f.targets, &r.Identity)
		sighted[i] = s
	}
	return sighted, nil
}

// stamp is how instants stand in JSON that PostgreSQL reads.
const stamp = "2006-01-02T15:04:05.999999Z07:00"

// seenOn gives the newest target that nothing in the identity contradicts; nil
// where every one differs.
func seenOn(targets []posture.Target, id *posture.Identity) *int64 {
	all := posture.Of(posture.Facets()...)
	for i := len(targets) - 1; i >= 0; i-- {
		if posture.Compare(id, &targets[i].Identity, all) != posture.Drifted {
			return &targets[i].ID
		}
	}
	return nil
}

// reviewOverBlocks closes the discrepancies of these subjects whose refusals of
// permitted access have all been permitted since, and opens them again where
// that no longer holds.
func (t *tx) reviewOverBlocks(ctx context.Context, subjects []int64) error {
	rows, err := t.Query(ctx, sqlOverBlocked, subjects)
	if err != nil {
		return fmt.Errorf("review refusals of permitted access: %w", err)
	}
	type blocked struct {
		id, subject int64
		statement   string
		evidence    []int64
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (b blocked, err error) {
		err = row.Scan(&b.id, &b.subject, &b.statement, &b.evidence)
		return b, err
	})
	if err != nil || len(found) == 0 {
		return err
	}
	facts, err := t.loadFacts(ctx, subjects)
	if err != nil {
		return err
	}
	var closed, open []int64
	for _, b := range found {
		records := facts[b.subject].evidence[b.statement]
		stands := slices.ContainsFunc(records, func(e posture.Evidence) bool {
			row, err := parseID('E', e.ID)
			return err == nil && slices.Contains(b.evidence, row) && posture.OverBlockOpen(&e, records)
		})
		if stands {
			open = append(open, b.id)
		} else {
			closed = append(closed, b.id)
		}
	}
	if err := t.setState(ctx, open, "closed", "open"); err != nil {
		return err
	}
	return t.setState(ctx, closed, "open", "closed")
}

// setState moves the discrepancies that stand in one state to another, as a
// new version each.
func (t *tx) setState(ctx context.Context, ids []int64, from, to string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, err := t.Exec(ctx, sqlSetState, ids, from, to, t.now, t.access.Actor); err != nil {
		return fmt.Errorf("set the state of discrepancies: %w", err)
	}
	return nil
}

const (
	sightedRows = `jsonb_to_recordset($1::jsonb) i (n integer, subject_id bigint, variant text, statement text, case_id text, path text,
		direction text, over_block boolean, owner text, risk_owner text, severity text, due_at timestamptz, expected text, seen text,
		evidence_id bigint, target_id bigint)`

	sightedDiscrepancy = `join discrepancy d on d.subject_id = i.subject_id and d.variant = i.variant and d.statement = i.statement
		and d.case_id = i.case_id and d.path = i.path and d.direction = i.direction
		and d.over_block = i.over_block and d.kind = $2`

	sqlInsertDiscrepancies = `
		insert into discrepancy (subject_id, variant, statement, case_id, path, direction, kind, over_block, recorded_at)
		select subject_id, variant, statement, case_id, path, direction, $2, over_block, $3
		from (select distinct on (subject_id, variant, statement, case_id, path, direction, over_block) * from ` + sightedRows + `
			order by subject_id, variant, statement, case_id, path, direction, over_block, n) i
		where not exists (select from discrepancy d where d.subject_id = i.subject_id and d.variant = i.variant
			and d.statement = i.statement and d.case_id = i.case_id and d.path = i.path and d.direction = i.direction
			and d.over_block = i.over_block and d.kind = $2)
		order by n`

	sqlInsertFirstVersions = `
		insert into discrepancy_version (discrepancy_id, version, recorded_from, recorded_by, state, owner, risk_owner, severity,
			initial, due_at, expected, seen)
		select distinct on (d.id) d.id, 1, $3, $4, 'open', i.owner, i.risk_owner, i.severity, i.severity, i.due_at, i.expected, i.seen
		from ` + sightedRows + ` ` + sightedDiscrepancy + `
		where not exists (select from discrepancy_version v where v.discrepancy_id = d.id)
		order by d.id, i.n`

	sqlInsertSightings = `
		insert into sighting (discrepancy_id, evidence_id, target_id, recorded_at)
		select d.id, i.evidence_id, i.target_id, $3 from ` + sightedRows + ` ` + sightedDiscrepancy + `
		on conflict do nothing
		returning discrepancy_id`

	sqlOverBlocked = `
		select d.id, d.subject_id, d.statement, array_agg(g.evidence_id)
		from discrepancy d join sighting g on g.discrepancy_id = d.id
		where d.subject_id = any ($1) and d.over_block
		group by d.id`

	sqlSetState = `
		with ended as (
			update discrepancy_version v set recorded_to = greatest($4, v.recorded_from + interval '1 microsecond')
			where v.discrepancy_id = any ($1) and v.recorded_to = 'infinity' and v.state = $2
			returning v.*)
		insert into discrepancy_version (discrepancy_id, version, recorded_from, recorded_by, state, owner, risk_owner, severity,
			initial, due_at, expected, seen)
		select discrepancy_id, version + 1, recorded_to, $5, $3, owner, risk_owner, severity, initial, due_at, expected, seen
		from ended`
)
