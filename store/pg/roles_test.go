package pg

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// denied runs a statement and wants it refused for lack of a right.
func denied(t *testing.T, address string, statements ...string) {
	t.Helper()
	conn := connect(t, address)
	last := len(statements) - 1
	for _, s := range statements[:last] {
		if _, err := conn.Exec(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	var said *pgconn.PgError
	if _, err := conn.Exec(t.Context(), statements[last]); !errors.As(err, &said) || said.Code != "42501" {
		t.Errorf("%s: %v, want insufficient privilege", statements[last], err)
	}
}

// rolesOf is what the cluster says of the roles and of who owns what.
func rolesOf(t *testing.T, address string) map[string]string {
	t.Helper()
	conn := connect(t, address)
	rows, err := conn.Query(t.Context(), `
		SELECT rolname::text, concat_ws(' ', CASE WHEN rolcanlogin THEN 'login' END, CASE WHEN rolinherit THEN 'inherit' END, CASE WHEN rolsuper THEN 'super' END,
			CASE WHEN rolcreaterole THEN 'createrole' END, CASE WHEN rolcreatedb THEN 'createdb' END,
			CASE WHEN rolreplication THEN 'replication' END, CASE WHEN rolbypassrls THEN 'bypassrls' END)
		FROM pg_roles WHERE rolname LIKE 'demarc%' AND rolname <> 'demarc_super'
		UNION ALL SELECT 'member of ' || r.rolname, string_agg(m.rolname, ' ') FROM pg_auth_members a JOIN pg_roles r ON r.oid = a.roleid
			JOIN pg_roles m ON m.oid = a.member WHERE r.rolname LIKE 'demarc%' AND m.rolname <> 'admin' GROUP BY 1
		UNION ALL SELECT 'database', pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()
		UNION ALL SELECT 'public', pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	var name, value string
	if _, err := pgx.ForEachRow(rows, []any{&name, &value}, func() error { got[name] = value; return nil }); err != nil {
		t.Fatal(err)
	}
	return got
}

func wantedRoles() map[string]string {
	return map[string]string{
		"demarc_owner": "login inherit", "demarc_app": "inherit", "demarc_login": "login",
		"member of demarc_app": "demarc_login", "database": "demarc_owner", "public": "demarc_owner",
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	c := opened(t, Options{Dir: made(t)})
	if diff := cmp.Diff(wantedRoles(), rolesOf(t, c.SuperDSN(Database))); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func TestRolesMayDoWhatTheyNeedAndNoMore(t *testing.T) {
	t.Parallel()
	c := opened(t, Options{Dir: made(t)})
	do(t, c.OwnerDSN(),
		"CREATE SCHEMA jobs", "CREATE EXTENSION pg_trgm", "CREATE TABLE fact (n int)", "CREATE TABLE other (n int)",
		"ALTER TABLE fact ENABLE ROW LEVEL SECURITY", "CREATE POLICY small ON fact TO demarc_app USING (n < 10) WITH CHECK (n < 10)",
		"GRANT SELECT, INSERT ON fact TO demarc_app", "GRANT SELECT ON other TO demarc_login", "INSERT INTO fact VALUES (1), (100)")
	do(t, c.LoginDSN(), "BEGIN", "SET LOCAL ROLE demarc_app", "INSERT INTO fact VALUES (2)", "COMMIT", "SELECT * FROM other")

	conn := connect(t, c.LoginDSN())
	err := pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), "SET LOCAL ROLE demarc_app"); err != nil {
			return err
		}
		var n int
		if err := tx.QueryRow(t.Context(), "SELECT count(*) FROM fact").Scan(&n); err != nil {
			return err
		}
		if n != 2 {
			t.Errorf("demarc_app sees %d rows, want the 2 of its policy", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	denied(t, c.LoginDSN(), "SELECT * FROM fact") // not inherited, only entered
	denied(t, c.LoginDSN(), "CREATE TABLE mine (n int)")
	denied(t, c.LoginDSN(), "CREATE SCHEMA mine")
	denied(t, c.LoginDSN(), "CREATE DATABASE mine")
	denied(t, c.LoginDSN(), "CREATE ROLE mine")
	denied(t, c.LoginDSN(), "SET ROLE demarc_owner")
	denied(t, c.LoginDSN(), "SET ROLE demarc_super")
	denied(t, c.LoginDSN(), "SET ROLE demarc_app", "CREATE TABLE mine (n int)")
	denied(t, c.LoginDSN(), "SET ROLE demarc_app", "UPDATE fact SET n = 3")
	denied(t, c.OwnerDSN(), "CREATE ROLE mine")
	denied(t, c.OwnerDSN(), "CREATE DATABASE mine")
	denied(t, c.OwnerDSN(), "ALTER ROLE demarc_login BYPASSRLS")
}

func TestEnsureRolesTakesBackWhatIsTooMuch(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir})
	super := c.SuperDSN(Database)
	do(t, super,
		"ALTER ROLE demarc_owner SUPERUSER BYPASSRLS", "ALTER ROLE demarc_app LOGIN CREATEDB", "ALTER ROLE demarc_login INHERIT CREATEROLE REPLICATION",
		"REVOKE demarc_app FROM demarc_login", "GRANT CREATE ON SCHEMA public TO PUBLIC", "GRANT CREATE ON DATABASE demarc TO PUBLIC",
		"REVOKE USAGE ON SCHEMA public FROM PUBLIC, demarc_app", "ALTER SCHEMA public OWNER TO demarc_super")
	if err := EnsureRoles(t.Context(), super); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantedRoles(), rolesOf(t, super)); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	denied(t, c.LoginDSN(), "CREATE TABLE public.mine (n int)")
	denied(t, c.LoginDSN(), "CREATE SCHEMA mine")
	if !ask[bool](t, super, "SELECT has_schema_privilege('demarc_app', 'public', 'USAGE')") {
		t.Error("demarc_app may not use the schema public")
	}
	do(t, super, "DROP SCHEMA public")
	for range 2 {
		if err := EnsureRoles(t.Context(), super); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(wantedRoles(), rolesOf(t, super)); diff != "" {
		t.Errorf("roles after the schema was dropped (-want +got):\n%s", diff)
	}
}

// Every replica may migrate at its start.
func TestEnsureRolesAtTheSameTime(t *testing.T) {
	t.Parallel()
	c := opened(t, Options{Dir: made(t)})
	do(t, c.SuperDSN("postgres"), "DROP DATABASE demarc", "DROP ROLE demarc_owner, demarc_app, demarc_login", "CREATE DATABASE posture")
	done := make(chan error)
	for range 6 {
		go func() { done <- EnsureRoles(t.Context(), c.SuperDSN("posture")) }()
	}
	for range 6 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(wantedRoles(), rolesOf(t, c.SuperDSN("posture"))); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

// A managed database gives its administrator no superuser.
func TestEnsureRolesWithoutSuperuser(t *testing.T) {
	t.Parallel()
	dir := made(t)
	c := opened(t, Options{Dir: dir})
	do(t, c.SuperDSN("postgres"), "DROP DATABASE demarc", "DROP ROLE demarc_owner, demarc_app, demarc_login",
		"CREATE ROLE admin LOGIN CREATEROLE CREATEDB", "CREATE ROLE guest LOGIN CREATEROLE")
	do(t, dsn(dir, "admin", "postgres"), `CREATE DATABASE "Posture data"`)
	admin, guest := dsn(dir, "admin", "Posture data"), dsn(dir, "guest", "Posture data")
	err := EnsureRoles(t.Context(), guest)
	if err == nil {
		t.Fatal("EnsureRoles succeeded for someone who does not own the database")
	}
	wantSentence(t, err, "Posture data belongs to admin", "as a superuser")
	for range 2 {
		if err := EnsureRoles(t.Context(), admin); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(wantedRoles(), rolesOf(t, c.SuperDSN("Posture data"))); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	do(t, dsn(dir, OwnerRole, "Posture data"), "CREATE TABLE fact (n int)", "GRANT SELECT ON fact TO demarc_app", "CREATE SCHEMA jobs")
}

func TestEnsureRolesNamesAnUnreachableDatabase(t *testing.T) {
	t.Parallel()
	err := EnsureRoles(t.Context(), dsn(folder(t), "admin", "postgres"))
	if err == nil || !strings.HasPrefix(err.Error(), "connecting to create the roles of Demarc: ") {
		t.Errorf("EnsureRoles = %v", err)
	}
}
