// Package migrations holds the schema: forward-only SQL files, one noun each,
// and the code that applies them under an advisory lock. schema.sql is the
// dump of the result; a test compares it.
package migrations

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed *.sql
var files embed.FS

// Schema is the committed dump of the migrated schema.
//
//go:embed schema.sql
var Schema string

// Latest is the version this binary brings a database to.
func Latest() int64 {
	names, err := fs.Glob(migrationFiles(), "*.sql")
	if err != nil || len(names) == 0 {
		return 0
	}
	number, _, _ := strings.Cut(names[len(names)-1], "_")
	latest, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0
	}
	return latest
}

// migrationFiles is the embedded folder without the dump.
func migrationFiles() fs.FS { return numbered{files} }

// numbered hides every file whose name does not begin with a digit.
type numbered struct{ embed.FS }

func (n numbered) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := n.FS.ReadDir(name)
	kept := entries[:0]
	for _, e := range entries {
		if c := e.Name()[0]; c >= '0' && c <= '9' {
			kept = append(kept, e)
		}
	}
	return kept, err
}

// Apply brings the database at dsn up to Latest, under a lock that any replica
// may wait for, and gives the version reached. The sign-in is demarc_owner, or
// one that may become it: everything is made as demarc_owner.
func Apply(ctx context.Context, dsn string) (int64, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return 0, fmt.Errorf("read the database address: %w", err)
	}
	config.RuntimeParams["role"] = "demarc_owner"
	db := stdlib.OpenDB(*config)
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return 0, fmt.Errorf("migration lock: %w", err)
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, migrationFiles(), goose.WithSessionLocker(locker))
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return 0, fmt.Errorf("migrate: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the schema version: %w", err)
	}
	if _, err := db.ExecContext(ctx, "grant select on goose_db_version to demarc_app, demarc_login"); err != nil {
		return 0, fmt.Errorf("grant the schema version: %w", err)
	}
	return version, nil
}
