// Package store keeps the posture in PostgreSQL. All SQL of the product is
// here, one noun a file. Every method takes an Access and runs one
// transaction that enters the role demarc_app and says who acts, under which
// request and with which portfolios in reach (DESIGN.md §13).
package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"demarc/store/posture"
)

// Store is safe for use by many goroutines.
type Store struct {
	pool  *pgxpool.Pool
	clock func() time.Time
}

// Options say how to open a store.
type Options struct {
	// DSN signs in as a role that may enter demarc_app and nothing more.
	DSN string
	// Clock gives the time at which facts are recorded.
	Clock func() time.Time
	// MaxConns bounds the pool; 0 leaves pgx's default.
	MaxConns int32
	// Tracer sees every statement; nil for none.
	Tracer pgx.QueryTracer
}

// Open connects to the database. It does not migrate.
func Open(ctx context.Context, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(o.DSN)
	if err != nil {
		return nil, fmt.Errorf("read the database address: %w", err)
	}
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
	}
	config.ConnConfig.Tracer = o.Tracer
	config.ConnConfig.RuntimeParams["application_name"] = "demarc"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	return &Store{pool: pool, clock: o.Clock}, nil
}

// Close ends all connections.
func (s *Store) Close() { s.pool.Close() }

// WithClock gives the same store with another clock: records made through it
// carry that clock's instants. Within one subject instants must not run
// backwards.
func (s *Store) WithClock(clock func() time.Time) *Store {
	return &Store{pool: s.pool, clock: clock}
}

// Ready says whether the database answers; the error is for logs.
func (s *Store) Ready(ctx context.Context) error {
	var version int64
	err := s.pool.QueryRow(ctx, sqlSchemaVersion).Scan(&version)
	if err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	return nil
}

const sqlSchemaVersion = `select max(version_id) from goose_db_version where is_applied`

// SchemaVersion gives the version of the schema in the database.
func (s *Store) SchemaVersion(ctx context.Context) (int64, error) {
	var version int64
	if err := s.pool.QueryRow(ctx, sqlSchemaVersion).Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema version: %w", err)
	}
	return version, nil
}

// tx is one transaction of one actor at one time.
type tx struct {
	pgx.Tx
	access posture.Access
	// now is the transaction's one time, cut to the microsecond that
	// PostgreSQL keeps. lockSubjects may move it forward.
	now time.Time
}

// at gives the instant that a page reads at: its own or the transaction's.
func (t *tx) at(asOf posture.AsOf) posture.AsOf {
	if asOf.At.IsZero() {
		asOf.At = t.now
	}
	return asOf
}

var (
	readOnly  = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	readWrite = pgx.TxOptions{IsoLevel: pgx.ReadCommitted}
)

// read runs fn in a read-only transaction on one snapshot.
func (s *Store) read(ctx context.Context, a posture.Access, fn func(context.Context, *tx) error) error {
	return s.inTx(ctx, a, readOnly, fn)
}

// write runs fn in a transaction that is kept unless fn gives an error. A
// deadlock or a serialization failure is tried again, twice.
func (s *Store) write(ctx context.Context, a posture.Access, fn func(context.Context, *tx) error) error {
	var err error
	for range 3 {
		if err = s.inTx(ctx, a, readWrite, fn); !isTransient(err) {
			return err
		}
	}
	return err
}

func (s *Store) inTx(ctx context.Context, a posture.Access, o pgx.TxOptions, fn func(context.Context, *tx) error) (err error) {
	o.BeginQuery = beginQuery(a, o)
	begun, err := s.pool.BeginTx(ctx, o)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	t := &tx{Tx: begun, access: a, now: s.clock().UTC().Truncate(time.Microsecond)}
	done := false
	defer func() {
		if done {
			return
		}
		// A cancelled request must not leave its transaction open.
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if back := begun.Rollback(clean); back != nil && !errors.Is(back, pgx.ErrTxClosed) && err == nil {
			err = fmt.Errorf("roll back: %w", back)
		}
	}()
	if err := fn(ctx, t); err != nil {
		if errors.Is(err, errRollBack) {
			return nil
		}
		return readable(err)
	}
	if err := begun.Commit(ctx); err != nil {
		return readable(fmt.Errorf("commit: %w", err))
	}
	done = true
	return nil
}

// errRollBack ends a transaction that was only to show what it would do.
var errRollBack = errors.New("rolled back on purpose")

// beginQuery opens the transaction, enters the role and says who acts, in one
// round trip.
func beginQuery(a posture.Access, o pgx.TxOptions) string {
	scope := make([]string, len(a.Portfolios))
	for i, p := range a.Portfolios {
		scope[i] = strconv.FormatInt(p, 10)
	}
	reach := strings.Join(scope, ",")
	if a.AllPortfolios {
		reach = "*"
	}
	mode := ""
	if o.AccessMode != "" {
		mode = " " + string(o.AccessMode)
	}
	return "begin isolation level " + string(o.IsoLevel) + mode + "; set local role demarc_app; " +
		"select set_config('demarc.person', " + quote(a.Actor) + ", true), " +
		"set_config('demarc.request', " + quote(a.Request) + ", true), " +
		"set_config('demarc.scope', " + quote(reach) + ", true)"
}

// quote makes a literal; standard_conforming_strings is PostgreSQL's default
// and set by every connection of pgx.
func quote(s string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(s, "\x00", ""), "'", "''") + "'"
}

// lockSubjects serialises writers of the same subjects for the rest of the
// transaction, and moves the transaction's time after everything that was
// recorded on them, so that intervals never overlap.
func (t *tx) lockSubjects(ctx context.Context, subjects []int64) error {
	if _, err := t.Exec(ctx, sqlLockSubjects, subjects); err != nil {
		return fmt.Errorf("lock subjects: %w", err)
	}
	var last *time.Time
	if err := t.QueryRow(ctx, sqlLastRecorded, subjects).Scan(&last); err != nil {
		return fmt.Errorf("read the last change of the subjects: %w", err)
	}
	if last != nil && !t.now.After(*last) {
		t.now = last.UTC().Add(time.Microsecond)
	}
	return nil
}

const (
	sqlLockSubjects = `
		select pg_advisory_xact_lock(hashtextextended('demarc.subject', id))
		from (select distinct id from unnest($1::bigint[]) id order by id) s`

	sqlLastRecorded = `
		select max(m) from (
			select max(recorded_from) m from verdict where subject_id = any ($1)
			union all select max(recorded_at) from target where subject_id = any ($1)
			union all select max(recorded_from) from requirement_version where subject_id = any ($1)) r`
)

func isTransient(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == "40001" || pgErr.Code == "40P01")
}

// SignInBypasses says in what way the server's own sign-in is more than it
// should be: a superuser, one that bypasses row-level security, or an owner of
// tables. Empty when it is none.
func (s *Store) SignInBypasses(ctx context.Context) (how string, err error) {
	if err := s.pool.QueryRow(ctx, sqlSignInBypasses).Scan(&how); err != nil {
		return "", fmt.Errorf("read the sign-in's rights: %w", err)
	}
	return how, nil
}

const sqlSignInBypasses = `
	select case
		when r.rolsuper then 'is a superuser'
		when r.rolbypassrls then 'bypasses row-level security'
		when exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relowner = r.oid) then 'owns tables'
		else '' end
	from pg_roles r where r.rolname = session_user`
