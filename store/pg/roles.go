package pg

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The database roles of Demarc.
const (
	OwnerRole = "demarc_owner" // owns the database and its schemas and migrates; may not bypass row-level security by attribute
	AppRole   = "demarc_app"   // no sign-in, no ownership: entered by SET LOCAL ROLE in every transaction
	LoginRole = "demarc_login" // the server's sign-in: inherits nothing, owns nothing, may enter demarc_app
)

// roleLock is the advisory lock under which roles are made; the number spells "demarc".
const roleLock = 0x64656d617263

// role is how a role of ours must be. None of ours may be more than this.
type role struct {
	name           string
	login, inherit bool
}

var roles = []role{
	{name: OwnerRole, login: true, inherit: true},
	{name: AppRole, inherit: true},
	{name: LoginRole, login: true},
}

// EnsureRoles creates the roles and grants of Demarc in the database dsn names, or puts existing ones right, in one transaction; run again
// it changes nothing. The sign-in must be a superuser or have CREATEROLE, CREATEDB and the database; without superuser it becomes a member
// of demarc_owner, because only a member can hand the database over. Roles are made without password: the operator sets those of
// demarc_owner and demarc_login where the server asks for one.
func EnsureRoles(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connecting to create the roles of Demarc: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return ensureRoles(ctx, conn)
}

// ensureDatabase makes the database demarc and its roles in the embedded cluster. A kill between the two is mended by the next start.
func (l *launch) ensureDatabase(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn(l.Dir, superuser, Database))
	if isMissingDatabase(err) {
		if err := l.createDatabase(ctx); err != nil {
			return err
		}
		conn, err = pgx.Connect(ctx, dsn(l.Dir, superuser, Database))
	}
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return ensureRoles(ctx, conn)
}

func isMissingDatabase(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == "3D000"
}

// createDatabase copies template0, whose encoding and locale initdb has set: UTF8, C.UTF-8.
func (l *launch) createDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, dsn(l.Dir, superuser, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	_, err = conn.Exec(ctx, "CREATE DATABASE "+Database+" TEMPLATE template0")
	return err
}

func ensureRoles(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(roleLock)); err != nil {
			return fmt.Errorf("waiting to create the roles of Demarc: %w", err)
		}
		if err := ensureAttributes(ctx, tx); err != nil {
			return err
		}
		if err := ensureMembership(ctx, tx); err != nil {
			return err
		}
		return ensureOwnership(ctx, tx)
	})
}

// attributes are what pg_roles says of a role.
type attributes struct {
	Name        string `db:"rolname"`
	Login       bool   `db:"rolcanlogin"`
	Inherit     bool   `db:"rolinherit"`
	Super       bool   `db:"rolsuper"`
	CreateRole  bool   `db:"rolcreaterole"`
	CreateDB    bool   `db:"rolcreatedb"`
	Replication bool   `db:"rolreplication"`
	BypassRLS   bool   `db:"rolbypassrls"`
}

// ensureAttributes creates missing roles and takes away what existing ones have too much. It names only attributes that differ: naming some
// of them at all needs a superuser.
func ensureAttributes(ctx context.Context, tx pgx.Tx) error {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = r.name
	}
	rows, err := tx.Query(ctx, `SELECT rolname, rolcanlogin, rolinherit, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
		FROM pg_roles WHERE rolname = ANY($1)`, names)
	if err != nil {
		return fmt.Errorf("reading the roles of Demarc: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[attributes])
	if err != nil {
		return fmt.Errorf("reading the roles of Demarc: %w", err)
	}
	has := map[string]attributes{}
	for _, a := range found {
		has[a.Name] = a
	}
	for _, r := range roles {
		statement := r.statement(has[r.name])
		if statement == "" {
			continue
		}
		if _, err := tx.Exec(ctx, statement); err != nil {
			return fmt.Errorf("making role %s: %w", r.name, err)
		}
	}
	return nil
}

// statement makes the role what it must be; "" when it is that.
func (r role) statement(has attributes) string {
	if has.Name == "" {
		return "CREATE ROLE " + r.name + word(r.login, "LOGIN") + word(r.inherit, "INHERIT")
	}
	var changes strings.Builder
	if has.Login != r.login {
		changes.WriteString(word(r.login, "LOGIN"))
	}
	if has.Inherit != r.inherit {
		changes.WriteString(word(r.inherit, "INHERIT"))
	}
	for _, excess := range []struct {
		has  bool
		name string
	}{
		{has.Super, "SUPERUSER"},
		{has.CreateRole, "CREATEROLE"},
		{has.CreateDB, "CREATEDB"},
		{has.Replication, "REPLICATION"},
		{has.BypassRLS, "BYPASSRLS"},
	} {
		if excess.has {
			changes.WriteString(word(false, excess.name))
		}
	}
	if changes.Len() == 0 {
		return ""
	}
	return "ALTER ROLE " + r.name + changes.String()
}

func word(on bool, attribute string) string {
	if on {
		return " " + attribute
	}
	return " NO" + attribute
}

// ensureMembership lets demarc_login enter demarc_app without having its rights before. From PostgreSQL 16 on each grant says so itself.
func ensureMembership(ctx context.Context, tx pgx.Tx) error {
	may, options := "MEMBER", ""
	if hasGrantOptions(tx) {
		may, options = "SET", " WITH INHERIT FALSE, SET TRUE"
	}
	var enters, inherits bool
	err := tx.QueryRow(ctx, "SELECT pg_has_role($1, $2, $3), pg_has_role($1, $2, 'USAGE')", LoginRole, AppRole, may).Scan(&enters, &inherits)
	if err != nil {
		return fmt.Errorf("reading the grants of %s: %w", LoginRole, err)
	}
	if enters && !inherits {
		return nil
	}
	if _, err := tx.Exec(ctx, "GRANT "+AppRole+" TO "+LoginRole+options); err != nil {
		return fmt.Errorf("letting %s enter %s: %w", LoginRole, AppRole, err)
	}
	return nil
}

// hasGrantOptions reports whether a membership says itself what it allows, as from PostgreSQL 16 on; before, every member may enter the role.
func hasGrantOptions(tx pgx.Tx) bool {
	major, _, _ := strings.Cut(tx.Conn().PgConn().ParameterStatus("server_version"), ".")
	number, err := strconv.Atoi(major)
	return err != nil || number >= 16 // "19beta1" is no number and new
}

// possession is who owns the database and its schema public, and who may create there.
type possession struct {
	database, databaseOwner, schemaOwner     string // schemaOwner is "" when there is no schema public
	publicDatabase, publicSchema, appUse     bool
	callerIsSuper, callerIsOwner, callerAble bool
}

func readPossession(ctx context.Context, tx pgx.Tx) (possession, error) {
	may := "MEMBER"
	if hasGrantOptions(tx) {
		may = "SET"
	}
	var p possession
	err := tx.QueryRow(ctx, `
		SELECT d.datname, pg_get_userbyid(d.datdba), coalesce(pg_get_userbyid(n.nspowner), ''),
			EXISTS (SELECT FROM aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) WHERE grantee = 0 AND privilege_type = 'CREATE'),
			n.oid IS NOT NULL AND EXISTS (SELECT FROM aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) WHERE grantee = 0 AND privilege_type = 'CREATE'),
			n.oid IS NOT NULL AND has_schema_privilege($1, n.oid, 'USAGE'),
			u.rolsuper, pg_has_role(d.datdba, 'MEMBER'), pg_has_role($2, $3)
		FROM pg_database d
		JOIN pg_roles u ON u.rolname = current_user
		LEFT JOIN pg_namespace n ON n.nspname = 'public'
		WHERE d.datname = current_database()`, AppRole, OwnerRole, may).Scan(
		&p.database, &p.databaseOwner, &p.schemaOwner, &p.publicDatabase, &p.publicSchema, &p.appUse,
		&p.callerIsSuper, &p.callerIsOwner, &p.callerAble)
	if err != nil {
		return p, fmt.Errorf("reading who owns the database: %w", err)
	}
	return p, nil
}

// ensureOwnership gives the database and its schema public to demarc_owner and takes CREATE on both from everyone else.
func ensureOwnership(ctx context.Context, tx pgx.Tx) error {
	p, err := readPossession(ctx, tx)
	if err != nil {
		return err
	}
	statements := p.statements()
	if len(statements) > 0 && !p.callerIsSuper && !p.callerIsOwner {
		return fmt.Errorf("the database %s belongs to %s: create the roles of Demarc as %s or as a superuser", p.database, p.databaseOwner, p.databaseOwner)
	}
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s); err != nil {
			return fmt.Errorf("giving the database %s to %s: %w", p.database, OwnerRole, err)
		}
	}
	return nil
}

func (p possession) statements() []string {
	database := pgx.Identifier{p.database}.Sanitize()
	var all []string
	add := func(needed bool, statement string) {
		if needed {
			all = append(all, statement)
		}
	}
	add(p.schemaOwner == "", "CREATE SCHEMA public AUTHORIZATION "+OwnerRole)
	add(p.schemaOwner != "" && p.schemaOwner != OwnerRole, "ALTER SCHEMA public OWNER TO "+OwnerRole)
	add(p.publicSchema, "REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	add(!p.appUse, "GRANT USAGE ON SCHEMA public TO "+AppRole)
	add(p.publicDatabase, "REVOKE CREATE ON DATABASE "+database+" FROM PUBLIC")
	add(p.databaseOwner != OwnerRole, "ALTER DATABASE "+database+" OWNER TO "+OwnerRole)
	if len(all) > 0 && !p.callerIsSuper && !p.callerAble {
		all = append([]string{"GRANT " + OwnerRole + " TO CURRENT_USER"}, all...)
	}
	return all
}
