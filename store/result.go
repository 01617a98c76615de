package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// RunResults lists the results of a run in the order of the file, as they were
// read: those whose Seq comes after the one given.
func (s *Store) RunResults(ctx context.Context, a posture.Access, id int64, after, limit int) (list []posture.Result, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		rows, err := t.Query(ctx, sqlRunResults, id, after, pageLimit(limit))
		if err != nil {
			return fmt.Errorf("read the results of run %d: %w", id, err)
		}
		if list, err = pgx.CollectRows(rows, scanResult); err != nil {
			return fmt.Errorf("read the results of run %d: %w", id, err)
		}
		return nil
	})
	return list, err
}

// VerifyRun reads the results of a run back, encodes them as they were sent and
// says whether their digest is the one in the audit log. It needs ReadAudit
// and every portfolio.
func (s *Store) VerifyRun(ctx context.Context, a posture.Access, id int64) (intact bool, err error) {
	if err := a.Need(posture.ReadAudit); err != nil {
		return false, err
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		var want string
		if err := t.QueryRow(ctx, sqlRunDigest, id).Scan(&want); err != nil {
			return err
		}
		w := resultWriter{run: id, out: io.Discard, digest: sha256.New()}
		for after, limit := 0, mostRows; limit == mostRows; {
			rows, err := t.Query(ctx, sqlRunResults, id, after, mostRows)
			if err != nil {
				return fmt.Errorf("verify run %d: %w", id, err)
			}
			list, err := pgx.CollectRows(rows, scanResult)
			if err != nil {
				return fmt.Errorf("verify run %d: %w", id, err)
			}
			for i := range list {
				if err := w.encode(&list[i]); err != nil {
					return err
				}
				after = list[i].Seq
			}
			if err := w.flush(); err != nil {
				return err
			}
			limit = len(list)
		}
		intact = hex.EncodeToString(w.digest.Sum(nil)) == want
		return nil
	})
	return intact, err
}

func scanResult(row pgx.CollectableRow) (posture.Result, error) {
	var r posture.Result
	var outcome, expected string
	var duration int64
	var identity map[string]string
	if err := row.Scan(&r.Seq, &r.Line, &r.Suite, &r.Class, &r.Name, &outcome, &r.Message, &duration, &r.ObservedAt, &r.ZoneAssumed,
		&r.Statement, &r.Scenario, &r.Run, &r.Case, &r.Path, &r.Direction, &expected, &r.ControlOK, &r.ObservedBehaviour,
		&r.RefusalOrigin, &r.Tester, &r.MappedBy, &r.Receiver, &identity, &r.Text, &r.Cut); err != nil {
		return r, err
	}
	r.Duration, r.ObservedAt = time.Duration(duration), r.ObservedAt.UTC()
	var err error
	if r.Outcome, err = posture.ParseOutcome(outcome); err != nil {
		return r, err
	}
	if r.Expected, err = posture.ParseExpected(expected); err != nil {
		return r, err
	}
	r.Identity, err = posture.ParseIdentity(identity)
	return r, err
}

const (
	sqlRunDigest = `
		select rows ->> 'digest' from audit
		where relation = 'result' and op = 'import' and rows -> 'run' = to_jsonb($1::bigint) order by id limit 1`

	sqlRunResults = `
		select seq, line, suite, class, name, outcome, message, duration_ns, observed_at, zone_assumed, statement, scenario,
			run_name, case_id, path, direction, expected, control_ok, observed_behaviour, refusal_origin, tester, mapped_by,
			receiver, identity, text, cut
		from result where run_id = $1 and seq > $2 order by seq limit $3`
)
