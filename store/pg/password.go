package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// SetLoginPassword gives demarc_login a password in the database dsn names, for
// servers that ask for one. The sign-in must be one that may change the role.
func SetLoginPassword(ctx context.Context, dsn, password string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connecting to set the password of %s: %w", LoginRole, err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var statement string
	if err := conn.QueryRow(ctx, "select format('alter role %I password %L', $1::text, $2::text)", LoginRole, password).Scan(&statement); err != nil {
		return fmt.Errorf("setting the password of %s: %w", LoginRole, err)
	}
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("setting the password of %s: %w", LoginRole, err)
	}
	return nil
}
