package main

import (
	"context"
	"fmt"
	"time"

	"demarc/migrations"
	"demarc/store/pg"
)

type migrateCmd struct {
	OwnerURL string `name:"owner-url" env:"DEMARC_OWNER_DATABASE_URL" placeholder:"URL" help:"Sign-in as demarc_owner, or as a role that may create roles. Without it the embedded PostgreSQL is migrated."`
	Roles    bool   `name:"create-roles" help:"Create the roles demarc_owner, demarc_app and demarc_login first."`
	Password string `name:"login-password" env:"DEMARC_LOGIN_PASSWORD" placeholder:"SECRET" help:"With --create-roles: the password that demarc_login gets."`
	DataDir  string `name:"data-dir" env:"DEMARC_DATA_DIR" placeholder:"DIR" help:"Data directory of the embedded PostgreSQL."`
}

// Run migrates forward and prints the version reached.
func (c *migrateCmd) Run(ctx context.Context, e *env) error {
	if c.OwnerURL == "" {
		db, err := database{DataDir: c.DataDir}.open(ctx, e, "migrate", time.Minute)
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = fmt.Fprintf(e.Stdout, "The schema is at version %d.\n", migrations.Latest())
		return err
	}
	if c.Roles {
		if err := pg.EnsureRoles(ctx, c.OwnerURL); err != nil {
			return hide("The roles could not be created with this sign-in. It must be allowed to create roles.", err)
		}
		if c.Password != "" {
			if err := pg.SetLoginPassword(ctx, c.OwnerURL, c.Password); err != nil {
				return hide("The password of demarc_login could not be set with this sign-in.", err)
			}
		}
	}
	version, err := migrations.Apply(ctx, c.OwnerURL)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Stdout, "The schema is at version %d.\n", version)
	return err
}
