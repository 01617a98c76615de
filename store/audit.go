package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Audit lists the audit log, newest first.
func (s *Store) Audit(ctx context.Context, a posture.Access, f posture.AuditFilter) (rows []posture.AuditRow, err error) {
	if err := a.Need(posture.ReadAudit); err != nil {
		return nil, err
	}
	if f.Limit <= 0 || f.Limit > 500 {
		f.Limit = 50
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		found, err := t.Query(ctx, sqlAudit, f.Actor, f.Table, f.Op, f.Request, nullTime(f.From), nullTime(f.To), f.Before, f.Limit)
		if err != nil {
			return err
		}
		rows, err = pgx.CollectRows(found, func(row pgx.CollectableRow) (posture.AuditRow, error) {
			var r posture.AuditRow
			err := row.Scan(&r.ID, &r.At, &r.Actor, &r.Request, &r.Table, &r.Op, &r.Count, &r.Rows, &r.Digest, &r.Seal)
			r.At = r.At.UTC()
			return r, err
		})
		return err
	})
	return rows, err
}

// Seals is what the verification of the audit log found.
type Seals struct {
	Seals    int64
	Sealed   int64
	Unsealed int64
	// FirstUnsealed is the id of the oldest row no seal covers yet, 0 for none.
	FirstUnsealed int64
	// Broken names the first seal or row that does not verify, empty if all do.
	Broken string
}

// VerifySeals recomputes the digest of every audit row and the chain of seals
// over them (DESIGN.md §11).
func (s *Store) VerifySeals(ctx context.Context, a posture.Access) (found Seals, err error) {
	if err := a.Need(posture.ReadAudit); err != nil {
		return found, err
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		if err := t.QueryRow(ctx, sqlSealCounts).Scan(&found.Seals, &found.Sealed, &found.Unsealed, &found.FirstUnsealed); err != nil {
			return err
		}
		if found.Broken, err = t.brokenRow(ctx); err != nil || found.Broken != "" {
			return err
		}
		found.Broken, err = t.brokenSeal(ctx)
		return err
	})
	if err != nil {
		return found, fmt.Errorf("verify the seals: %w", err)
	}
	return found, nil
}

func (t *tx) brokenRow(ctx context.Context) (string, error) {
	var id int64
	if err := t.QueryRow(ctx, sqlBrokenAuditRow).Scan(&id); err != nil {
		return "", err
	}
	if id == 0 {
		return "", nil
	}
	return fmt.Sprintf("audit row %d does not match its digest", id), nil
}

// brokenSeal walks the seals in order. Each covers the digests of its rows by
// id, after the digest of the seal before it.
func (t *tx) brokenSeal(ctx context.Context) (string, error) {
	rows, err := t.Query(ctx, sqlSealChain)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	previous, expected := []byte{}, int64(1)
	for rows.Next() {
		var seq, count, members int64
		var before, digest, over []byte
		if err := rows.Scan(&seq, &count, &members, &before, &digest, &over); err != nil {
			return "", err
		}
		sum := sha256.Sum256(append(bytes.Clone(before), over...))
		switch {
		case seq != expected:
			return fmt.Sprintf("seal %d is missing", expected), nil
		case members != count:
			return fmt.Sprintf("seal %d covered %d rows and finds %d", seq, count, members), nil
		case !bytes.Equal(before, previous):
			return fmt.Sprintf("seal %d does not follow seal %d", seq, seq-1), nil
		case !bytes.Equal(sum[:], digest):
			return fmt.Sprintf("seal %d (%s) does not match its rows", seq, hex.EncodeToString(digest[:4])), nil
		}
		previous, expected = digest, seq+1
	}
	return "", rows.Err()
}

func nullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

const (
	sqlAudit = `
		select id, at, actor, request, relation, op, row_count, left(rows::text, 20000), encode(digest, 'hex'), coalesce(seal, 0)
		from audit
		where ($1 = '' or actor = $1) and ($2 = '' or relation = $2) and ($3 = '' or op = $3) and ($4 = '' or request = $4)
			and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)
			and ($7::bigint = 0 or id < $7)
		order by id desc limit $8`

	sqlSealCounts = `
		select (select count(*) from audit_seal), (select count(*) from audit where seal is not null),
			(select count(*) from audit where seal is null), coalesce((select min(id) from audit where seal is null), 0)`

	sqlBrokenAuditRow = `
		select coalesce(min(id), 0) from audit
		where digest <> audit_digest(at, actor, request, relation, op, row_count, rows)`

	sqlSealChain = `
		select s.seq, s.row_count, count(a.id), s.previous, s.digest, coalesce(string_agg(a.digest, '\x' order by a.id), '\x')
		from audit_seal s left join audit a on a.seal = s.seq
		group by s.seq order by s.seq`
)
