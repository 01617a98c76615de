package store

import (
	"context"
	"fmt"

	"demarc/store/posture"
)

// Settle brings up to date every verdict in reach whose time has passed, up to
// limit verdicts, and gives how many are left. Lists call it before they
// filter, sort or count; a job calls it for the rest (DESIGN.md §5).
func (s *Store) Settle(ctx context.Context, a posture.Access, limit int) (left int, err error) {
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		left, err = t.settle(ctx, limit)
		return err
	})
	return left, err
}

// settle works under an advisory lock, so that two readers do not do the same
// work; the second waits and finds it done.
func (t *tx) settle(ctx context.Context, limit int) (left int, err error) {
	due, subjects, err := t.due(ctx, limit)
	if err != nil || due == 0 {
		return 0, err
	}
	if _, err := t.Exec(ctx, sqlLockSettling); err != nil {
		return 0, fmt.Errorf("lock the settling: %w", err)
	}
	if err := t.lockSubjects(ctx, subjects); err != nil {
		return 0, err
	}
	if _, err := t.rejudge(ctx, subjects, "time"); err != nil {
		return 0, err
	}
	left, _, err = t.due(ctx, 1)
	return left, err
}

// due counts the verdicts whose time has passed and names the subjects of the
// first of them.
func (t *tx) due(ctx context.Context, limit int) (count int, subjects []int64, err error) {
	err = t.QueryRow(ctx, sqlDueVerdicts, t.now, limit).Scan(&count, &subjects)
	if err != nil {
		return 0, nil, fmt.Errorf("count the verdicts whose time has passed: %w", err)
	}
	return count, subjects, nil
}

const (
	sqlLockSettling = `select pg_advisory_xact_lock(hashtext('demarc.settle'))`

	sqlDueVerdicts = `
		with due as (
			select subject_id, changes_at from verdict
			where recorded_to = 'infinity' and changes_at < 'infinity' and changes_at < $1
			order by changes_at limit 10000)
		select (select count(*) from due),
			coalesce((select array_agg(distinct subject_id) from (select subject_id from due order by changes_at limit $2) f), '{}')`
)
