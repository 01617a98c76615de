package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Runs lists imports, newest first, as of the page's instant. next is the
// keyset of the following page, 0 at the end.
func (s *Store) Runs(ctx context.Context, a posture.Access, o posture.AsOf, before int64, limit int) (list []posture.RunRow, next int64, err error) {
	limit = pageLimit(limit)
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		list, err = t.runs(ctx, t.moment(o), pgx.NamedArgs{"before": before, "id": int64(0), "limit": limit + 1})
		return err
	})
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	return list, next, err
}

// Run gives one import with its receipt.
func (s *Store) Run(ctx context.Context, a posture.Access, id int64) (r posture.RunRow, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		list, err := t.runs(ctx, t.nowMoment(), pgx.NamedArgs{"before": int64(0), "id": id, "limit": 1})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return posture.NotFoundError(fmt.Sprintf("run %d", id))
		}
		r = list[0]
		return nil
	})
	return r, err
}

func (t *tx) runs(ctx context.Context, m moment, args pgx.NamedArgs) ([]posture.RunRow, error) {
	rows, err := t.query(ctx, m, sqlRuns, args)
	if err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.RunRow, error) {
		var r posture.RunRow
		var receipt []byte
		if err := row.Scan(&r.ID, &r.File, &r.Format, &r.Runtime, &r.RecordedAt, &r.By, &receipt, &r.Withdrawn); err != nil {
			return r, err
		}
		r.RecordedAt = r.RecordedAt.UTC()
		return r, json.Unmarshal(receipt, &r.Receipt)
	})
	if err != nil {
		return nil, fmt.Errorf("read runs: %w", err)
	}
	return list, nil
}

// knownRun gives the receipt of then where the same bytes were imported
// before, into the portfolio that this import goes to.
func (t *tx) knownRun(ctx context.Context, sha []byte, runtime string) (receipt posture.Receipt, known bool, err error) {
	var at time.Time
	var body []byte
	rows, err := t.Query(ctx, sqlKnownRun, sha, runtime)
	if err != nil {
		return receipt, false, fmt.Errorf("look for an earlier import: %w", err)
	}
	_, err = pgx.ForEachRow(rows, []any{&at, &body}, func() error {
		known = true
		return json.Unmarshal(body, &receipt)
	})
	if err != nil {
		return receipt, false, fmt.Errorf("look for an earlier import: %w", err)
	}
	if known {
		at = at.UTC()
		receipt.AlreadyOn = &at
	}
	return receipt, known, nil
}

const (
	// A run is withdrawn when it brought evidence and all of it was withdrawn.
	sqlRuns = `
		select r.id, r.file, r.format, coalesce(u.slug, ''), r.recorded_at, actor_name(r.recorded_by), c.receipt,
			exists (select from evidence e where e.run_id = r.id)
				and not exists (select from evidence e where e.run_id = r.id
					and not exists (select from evidence_withdrawal w where w.evidence_id = e.id and known(w)))
		from run r join run_receipt c on c.run_id = r.id left join runtime u on u.id = r.runtime_id
		where known(r) and (@before::bigint = 0 or r.id < @before) and (@id::bigint = 0 or r.id = @id)
		order by r.id desc limit @limit`

	sqlKnownRun = `
		select r.recorded_at, c.receipt
		from run r join run_receipt c on c.run_id = r.id
		where r.sha256 = $1 and r.portfolio_id = case when $2 = ''
			then (select id from portfolio where not sample order by id limit 1)
			else (select portfolio_id from runtime where slug = $2) end`
)
