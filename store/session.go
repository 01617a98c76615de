package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Sessions keeps browser sessions in the database. Its method set is what
// alexedwards/scs asks of a store with context. Tokens are kept hashed.
type Sessions struct{ s *Store }

// Sessions gives the session keeper.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// before is who acts before anybody is signed in.
func before() posture.Access { return posture.Access{Actor: "anonymous"} }

// FindCtx gives the data of a session that has not expired.
func (k *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = k.s.read(ctx, before(), func(ctx context.Context, t *tx) error {
		err := t.QueryRow(ctx, sqlSessionFind, hashed(token), t.now).Scan(&data)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		found = err == nil
		return err
	})
	return data, found, err
}

// CommitCtx keeps the data of a session until it expires.
func (k *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	return k.s.write(ctx, before(), func(ctx context.Context, t *tx) error {
		_, err := t.Exec(ctx, sqlSessionCommit, hashed(token), data, expiry)
		return err
	})
}

// DeleteCtx ends a session, and sweeps those that have expired.
func (k *Sessions) DeleteCtx(ctx context.Context, token string) error {
	return k.s.write(ctx, before(), func(ctx context.Context, t *tx) error {
		_, err := t.Exec(ctx, sqlSessionDelete, hashed(token), t.now)
		return err
	})
}

var errSessionContext = errors.New("sessions need a request's context")

// Find is part of scs's interface; scs calls FindCtx instead.
func (k *Sessions) Find(string) ([]byte, bool, error) { return nil, false, errSessionContext }

// Commit is part of scs's interface; scs calls CommitCtx instead.
func (k *Sessions) Commit(string, []byte, time.Time) error { return errSessionContext }

// Delete is part of scs's interface; scs calls DeleteCtx instead.
func (k *Sessions) Delete(string) error { return errSessionContext }

func hashed(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

const (
	sqlSessionFind   = `select data from session where token_hash = $1 and expires_at > $2`
	sqlSessionCommit = `
		insert into session (token_hash, data, expires_at) values ($1, $2, $3)
		on conflict (token_hash) do update set data = excluded.data, expires_at = excluded.expires_at`
	sqlSessionDelete = `delete from session where token_hash = $1 or expires_at < $2`
)

// Seal chains the committed audit rows that no seal covers yet and gives how
// many it sealed.
func (s *Store) Seal(ctx context.Context) (rows int64, err error) {
	err = s.write(ctx, posture.Access{Actor: "demarc:sealer", AllPortfolios: true}, func(ctx context.Context, t *tx) error {
		return t.QueryRow(ctx, `select seal_audit()`).Scan(&rows)
	})
	if err != nil {
		return 0, fmt.Errorf("seal the audit log: %w", err)
	}
	return rows, nil
}
