package main

import (
	"os"
	"strings"
	"testing"

	"demarc/migrations"
	"demarc/store/pg"
)

// An outside database: an administrator's sign-in creates the roles and
// migrates; the server then signs in as demarc_login, and refuses a database
// that has not been migrated.
func TestMigrateAnOutsideDatabase(t *testing.T) {
	t.Parallel()
	cluster, err := pg.Open(t.Context(), pg.Options{Dir: folder(t), Command: "test", Schema: migrations.Latest(), Getenv: os.Getenv, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Close(); err != nil {
			t.Error(err)
		}
	})
	var out, errs output
	e := &env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: os.Getenv}
	if code := run(t.Context(), []string{"doctor", "--database-url", cluster.LoginDSN()}, e); code != exitSystem || !strings.Contains(errs.String(), "demarc migrate") {
		t.Errorf("before: exit code %d: %s", code, errs.String())
	}
	args := []string{"migrate", "--create-roles", "--login-password", "a secret", "--owner-url", cluster.SuperDSN(pg.Database)}
	for range 2 {
		if code := run(t.Context(), args, e); code != exitDone {
			t.Fatalf("migrate: exit code %d: %s", code, errs.String())
		}
	}
	if code := run(t.Context(), []string{"doctor", "--database-url", cluster.LoginDSN()}, e); code != exitDone {
		t.Errorf("doctor as demarc_login: exit code %d: %s%s", code, out.String(), errs.String())
	}
	if code := run(t.Context(), []string{"doctor", "--database-url", cluster.SuperDSN(pg.Database)}, e); code != exitNo || !strings.Contains(out.String(), "superuser") {
		t.Errorf("doctor as a superuser: exit code %d: %s", code, out.String())
	}
}
