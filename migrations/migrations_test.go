package migrations_test

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"demarc/migrations"
	"demarc/store/pg"
)

var update = flag.Bool("update", false, "write schema.sql anew")

// TestSchemaIsTheDump migrates an empty database, twice, and compares its dump
// with schema.sql: go test ./migrations -update writes it anew.
func TestSchemaIsTheDump(t *testing.T) {
	t.Parallel()
	dir := walkable(t)
	cluster, err := pg.Open(t.Context(), pg.Options{Dir: dir, Command: "test", Schema: migrations.Latest(), Getenv: os.Getenv, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	for range 2 {
		version, err := migrations.Apply(t.Context(), cluster.OwnerDSN())
		if err != nil {
			t.Fatal(err)
		}
		if version != migrations.Latest() {
			t.Fatalf("at version %d, want %d", version, migrations.Latest())
		}
	}
	out, err := exec.CommandContext(t.Context(), cluster.Bin("pg_dump"), "--schema-only", "--no-comments",
		"--exclude-table=goose_db_version*", "--dbname", cluster.SuperDSN(pg.Database)).Output()
	if err != nil {
		t.Fatalf("dump the schema: %v", err)
	}
	got := normalise(string(out))
	if *update {
		if err := os.WriteFile("schema.sql", []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(migrations.Schema, got); diff != "" {
		t.Errorf("schema.sql is not the dump of the migrations (go test ./migrations -update):\n%s", diff)
	}
}

var version = regexp.MustCompile(`(?m)^(-- Dumped .*|\\(un)?restrict .*|SET transaction_timeout.*|SET default_table_access_method.*)\n`)

// normalise removes what names the PostgreSQL that dumped it.
func normalise(dump string) string {
	dump = version.ReplaceAllString(dump, "")
	dump = regexp.MustCompile(`\n{3,}`).ReplaceAllString(dump, "\n\n")
	return strings.TrimSpace(dump) + "\n"
}

// walkable gives a folder that PostgreSQL's user can reach.
func walkable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "demarc-schema-") //nolint:usetesting // the test's own folder is closed to the user PostgreSQL runs as
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
