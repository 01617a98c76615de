package store_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
	"demarc/store/storetest"
)

// Law 11: audit rows are written by the database itself, so no path can skip
// them; secrets never enter them.
func TestLaw11AuditIsWrittenByTheDatabase(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	setUp(t, db)
	rows, err := db.Store.Audit(t.Context(), storetest.As(posture.Auditor), posture.AuditFilter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]posture.AuditRow{}
	for _, r := range rows {
		seen[r.Table+" "+r.Op] = r
		if strings.Contains(r.Rows, "argon2") || strings.Contains(r.Rows, "token_hash") {
			t.Errorf("a secret stands in the audit row of %s", r.Table)
		}
	}
	for _, want := range []string{"person insert", "person_version insert", "person_secret insert", "invitation insert", "invitation update"} {
		if _, ok := seen[want]; !ok {
			t.Errorf("no audit row for %s", want)
		}
	}
	if r := seen["person_version insert"]; !strings.Contains(r.Rows, `"email": "ines@example.org"`) {
		t.Errorf("the audit row does not say what was written: %s", r.Rows)
	}
	if r := seen["person insert"]; r.Request != "r1" || r.Actor != "anonymous" {
		t.Errorf("request %q, actor %q", r.Request, r.Actor)
	}
	if _, err := db.Store.Audit(t.Context(), storetest.As(posture.Editor), posture.AuditFilter{}); posture.KindOf(err) != posture.Forbidden {
		t.Errorf("an editor reads the audit log: %v", err)
	}
}

func TestSealsFindTampering(t *testing.T) {
	t.Parallel()
	for name, tamper := range map[string]string{
		"a changed row":  `update audit set actor = 'somebody else' where id = (select min(id) from audit)`,
		"a removed row":  `delete from audit where id = (select min(id) from audit)`,
		"a changed seal": `update audit_seal set previous = '\x01' where seq = 2`,
		"a removed seal": `delete from audit_seal where seq = 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			admin := storetest.As(posture.Admin)
			for i, email := range []string{"a@example.org", "b@example.org"} {
				if _, _, err := db.Store.Invite(t.Context(), admin, posture.Person{Email: email, Name: "N", Role: posture.Viewer, AllPortfolios: true}); err != nil {
					t.Fatal(err)
				}
				sealAll(t, db, int64(i+1))
			}
			found, err := db.Store.VerifySeals(t.Context(), storetest.As(posture.Auditor))
			if err != nil || found.Broken != "" || found.Seals < 2 || found.Unsealed != 0 {
				t.Fatalf("before: %+v %v", found, err)
			}
			db.Exec(t, tamper)
			found, err = db.Store.VerifySeals(t.Context(), storetest.As(posture.Auditor))
			if err != nil || found.Broken == "" {
				t.Errorf("not found: %+v %v", found, err)
			}
		})
	}
}

// sealAll seals until nothing is left. A transaction elsewhere on the server
// may hold a seal back for a moment.
func sealAll(t *testing.T, db *storetest.DB, seals int64) {
	t.Helper()
	for {
		if _, err := db.Store.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		found, err := db.Store.VerifySeals(t.Context(), storetest.As(posture.Auditor))
		if err != nil {
			t.Fatal(err)
		}
		if found.Unsealed == 0 && found.Seals >= seals {
			return
		}
	}
}

// The application's role owns nothing, cannot bypass row-level security, and
// cannot change or remove a fact (DESIGN.md §13).
func TestTheApplicationRoleCannotChangeFacts(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	conn, err := pgx.Connect(t.Context(), db.LoginDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), "select count(*) from evidence"); err == nil {
		t.Error("the sign-in reads without entering the application's role")
	}
	for _, sql := range []string{
		"update evidence set words = ''", "delete from evidence", "delete from closure", "update acceptance set covers = '{}'",
		"delete from verdict", "update verdict set label = 'tested'", "delete from audit", "insert into audit_seal values (1)",
		"update target set image = ''", "delete from person_version", "truncate evidence", "drop table evidence",
		"select audit_write('evidence', 'insert', 1, '{}')", "alter table evidence disable row level security",
	} {
		if _, err := conn.Exec(t.Context(), "begin; set local role demarc_app; select set_config('demarc.scope', '*', true); "+sql); err == nil {
			t.Errorf("allowed: %s", sql)
		}
		if _, err := conn.Exec(t.Context(), "rollback"); err != nil {
			t.Fatal(err)
		}
	}
}

// Every table that a transaction without a scope can read must be one that is
// open to all by design.
func TestRowLevelSecurityStandsOnEveryTable(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	conn, err := pgx.Connect(t.Context(), db.SuperDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), `
		select relname from pg_class
		where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
			and relname <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if len(names) > 0 {
		t.Errorf("without row-level security: %v", names)
	}
}
