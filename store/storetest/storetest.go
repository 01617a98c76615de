// Package storetest gives each test a database of its own, on one PostgreSQL
// a test process, and factories that cannot fail. It is imported by tests
// only.
package storetest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/migrations"
	"demarc/store"
	"demarc/store/pg"
	"demarc/store/posture"
)

// DB is one test's database.
type DB struct {
	Store *store.Store
	// Clock is the store's clock; tests move it.
	Clock *Clock
	// Counter counts the statements that the store sends.
	Counter *Counter
	// LoginDSN, OwnerDSN and SuperDSN sign in as the three roles.
	LoginDSN string
	OwnerDSN string
	SuperDSN string
}

// Start is the instant at which every test's clock begins.
var Start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var shared struct {
	once    sync.Once
	cluster *pg.Cluster
	dir     string
	err     error
	next    atomic.Int64
}

// Main runs a package's tests and stops the process's PostgreSQL after them:
// func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.cluster != nil {
		if err := shared.cluster.Close(); err != nil && code == 0 {
			fmt.Fprintln(os.Stderr, "stop PostgreSQL:", err)
			code = 1
		}
	}
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	return code
}

const template = "demarc_template"

// New gives a migrated database that only this test uses. It is dropped when
// the test passes and kept, until the process ends, when it fails.
func New(t testing.TB) *DB {
	t.Helper()
	cluster := start(t)
	name := fmt.Sprintf("test_%d", shared.next.Add(1))
	super := exec(t, cluster.SuperDSN("postgres"),
		"create database "+name+" template "+template+" owner demarc_owner")
	db := &DB{
		Clock:    NewClock(Start),
		Counter:  &Counter{},
		LoginDSN: onDatabase(cluster.LoginDSN(), name),
		OwnerDSN: onDatabase(cluster.OwnerDSN(), name),
		SuperDSN: cluster.SuperDSN(name),
	}
	opened, err := store.Open(t.Context(), store.Options{DSN: db.LoginDSN, Clock: db.Clock.Now, MaxConns: 6, Tracer: db.Counter})
	if err != nil {
		t.Fatalf("open the store of %s: %v", name, err)
	}
	db.Store = opened
	t.Cleanup(func() {
		opened.Close()
		if !t.Failed() {
			exec(t, super, "drop database if exists "+name+" with (force)")
		}
	})
	return db
}

// start starts PostgreSQL once a process and migrates the template.
func start(t testing.TB) *pg.Cluster {
	t.Helper()
	shared.once.Do(func() { shared.cluster, shared.dir, shared.err = begin() })
	if shared.err != nil {
		t.Fatalf("tests need PostgreSQL's binaries (apt-get install postgresql): %v", shared.err)
	}
	return shared.cluster
}

func begin() (*pg.Cluster, string, error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp(fastFolder(), "demarc-test-")
	if err != nil {
		return nil, "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, dir, err
	}
	cluster, err := pg.Open(ctx, pg.Options{Dir: dir, Command: "test", Schema: migrations.Latest(), Getenv: os.Getenv, Tests: true})
	if err != nil {
		return nil, dir, err
	}
	if _, err := migrations.Apply(ctx, cluster.OwnerDSN()); err != nil {
		return cluster, dir, err
	}
	// A template that others may connect to cannot be copied reliably.
	conn, err := pgx.Connect(ctx, cluster.SuperDSN("postgres"))
	if err != nil {
		return cluster, dir, err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "alter database demarc rename to "+template)
	if err == nil {
		_, err = conn.Exec(ctx, "alter database "+template+" is_template true allow_connections false")
	}
	return cluster, dir, err
}

// fastFolder is a folder in memory where the system has one: making and
// dropping a database a test is mostly small files.
func fastFolder() string {
	const memory = "/dev/shm"
	var room syscall.Statfs_t
	if syscall.Statfs(memory, &room) == nil && room.Bavail*uint64(room.Bsize) > 2<<30 {
		return memory
	}
	return ""
}

// onDatabase gives a keyword DSN for another database.
func onDatabase(dsn, name string) string {
	fields := strings.Fields(dsn)
	for i, f := range fields {
		if strings.HasPrefix(f, "dbname=") {
			fields[i] = "dbname=" + name
		}
	}
	return strings.Join(fields, " ")
}

func exec(t testing.TB, dsn, sql string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatalf("connect to PostgreSQL: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return dsn
}

// Exec runs SQL as the superuser, for faults that the store cannot make.
func (db *DB) Exec(t testing.TB, sql string) {
	t.Helper()
	exec(t, db.SuperDSN, sql)
}

// As gives the access of a role that reaches all portfolios.
func As(role posture.Role) posture.Access {
	return posture.Access{
		Actor: "test:" + role.String(), Name: role.Words(), Role: role, AllPortfolios: true, Request: "test",
	}
}
