package main

import (
	"context"
	"errors"
	"fmt"
	"os/user"
	"strings"
	"time"

	"demarc/migrations"
	"demarc/store"
	"demarc/store/pg"
	"demarc/store/posture"
)

// database is where a command finds its PostgreSQL.
type database struct {
	DatabaseURL string `name:"database-url" env:"DEMARC_DATABASE_URL" placeholder:"URL" help:"Use this PostgreSQL, signed in as a role that may enter demarc_app. Without it the embedded one is used."`
	DataDir     string `name:"data-dir" env:"DEMARC_DATA_DIR" placeholder:"DIR" help:"Data directory of the embedded PostgreSQL."`
}

// opened is a store with what must be closed after it.
type opened struct {
	*store.Store
	cluster *pg.Cluster
}

// Close ends the connections, then the embedded PostgreSQL if this process
// owns it.
func (o *opened) Close() error {
	o.Store.Close()
	if o.cluster == nil {
		return nil
	}
	return o.cluster.Close()
}

// exited is closed when the embedded PostgreSQL ends unasked; nil without one.
func (o *opened) exited() <-chan struct{} {
	if o.cluster == nil {
		return nil
	}
	return o.cluster.Exited()
}

// open gives the store of d. The embedded database is migrated; one that was
// named must be at this binary's schema already.
func (d database) open(ctx context.Context, e *env, command string, wait time.Duration) (*opened, error) {
	if d.DatabaseURL != "" {
		s, err := store.Open(ctx, store.Options{DSN: d.DatabaseURL, Clock: time.Now})
		if err != nil {
			return nil, hide("The database at --database-url does not answer. Check the address, the sign-in and that PostgreSQL runs.", err)
		}
		if err := checkSchema(ctx, s); err != nil {
			s.Close()
			return nil, err
		}
		return &opened{Store: s}, nil
	}
	cluster, err := pg.Open(ctx, pg.Options{
		Dir: d.DataDir, Command: command, Schema: migrations.Latest(), Wait: wait, Getenv: e.Getenv,
		Progress: func(s string) { fmt.Fprintln(e.Stderr, "demarc:", s) },
	})
	if err != nil {
		return nil, err
	}
	s, err := openEmbedded(ctx, cluster)
	if err != nil {
		return nil, errors.Join(err, cluster.Close())
	}
	return &opened{Store: s, cluster: cluster}, nil
}

func openEmbedded(ctx context.Context, cluster *pg.Cluster) (*store.Store, error) {
	if cluster.Owned() {
		if _, err := migrations.Apply(ctx, cluster.OwnerDSN()); err != nil {
			return nil, fmt.Errorf("bring the schema to version %d: %w", migrations.Latest(), err)
		}
	}
	return store.Open(ctx, store.Options{DSN: cluster.LoginDSN(), Clock: time.Now})
}

func checkSchema(ctx context.Context, s *store.Store) error {
	have, err := s.SchemaVersion(ctx)
	if err != nil {
		return hide("The database has no Demarc schema that this sign-in may read. Run demarc migrate with the owner's address first.", err)
	}
	if have != migrations.Latest() {
		return fmt.Errorf("the database is at schema version %d and this demarc needs %d: run demarc migrate, or the demarc that fits", have, migrations.Latest())
	}
	return nil
}

// hide puts a sentence for the person before an error that is kept for logs.
func hide(sentence string, err error) error { return &told{sentence, err} }

type told struct {
	sentence string
	err      error
}

func (t *told) Error() string { return t.sentence }
func (t *told) Unwrap() error { return t.err }

// localAccess is who acts on the command line: whoever reaches the data
// directory or the database is an administrator, named by their account.
func localAccess() posture.Access {
	name := "unknown"
	if u, err := user.Current(); err == nil {
		name = strings.ToValidUTF8(u.Username, "?")
	}
	return posture.Access{Actor: "os:" + name, Name: name, Role: posture.Admin, AllPortfolios: true, Request: "command"}
}
