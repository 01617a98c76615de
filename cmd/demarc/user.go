package main

import (
	"context"
	"fmt"
)

type userCmd struct {
	List  userListCmd  `cmd:"" help:"List the accounts."`
	Reset userResetCmd `cmd:"" help:"Print a one-time path by which an account gets a new password."`
}

type userListCmd struct {
	database
}

// Run prints a line an account.
func (c *userListCmd) Run(ctx context.Context, e *env) error {
	db, err := c.open(ctx, e, "user", 0)
	if err != nil {
		return err
	}
	defer db.Close()
	people, err := db.People(ctx, localAccess())
	if err != nil {
		return err
	}
	for _, p := range people {
		state := "active"
		if !p.Active {
			state = "inactive"
		}
		fmt.Fprintf(e.Stdout, "%s\t%s\t%s\t%s\n", p.Email, p.Name, p.Role.Words(), state)
	}
	return nil
}

type userResetCmd struct {
	database
	Email string `arg:"" help:"Address of the account."`
}

// Run prints the path of a one-time link.
func (c *userResetCmd) Run(ctx context.Context, e *env) error {
	db, err := c.open(ctx, e, "user", 0)
	if err != nil {
		return err
	}
	defer db.Close()
	token, err := db.ResetPassword(ctx, localAccess(), c.Email)
	if err != nil {
		return &inputError{fmt.Errorf("no account has the address %s; demarc user list shows them", c.Email)}
	}
	_, err = fmt.Fprintf(e.Stdout, "Open /setup/%s on your server within 24 hours.\n", token)
	return err
}
