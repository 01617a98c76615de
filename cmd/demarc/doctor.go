package main

import (
	"context"
	"fmt"

	"demarc/migrations"
)

type doctorCmd struct {
	database
}

// Run checks what a person cannot see from the pages: the schema, that the
// server's own sign-in is held by row-level security, and the audit seals. It
// ends with 1 when something needs attention.
func (c *doctorCmd) Run(ctx context.Context, e *env) error {
	db, err := c.open(ctx, e, "doctor", 0)
	if err != nil {
		return err
	}
	defer db.Close()
	trouble := 0
	say := func(ok bool, format string, args ...any) {
		mark := "ok   "
		if !ok {
			mark, trouble = "LOOK ", trouble+1
		}
		fmt.Fprintf(e.Stdout, mark+format+"\n", args...)
	}
	say(true, "schema version %d", migrations.Latest())
	bypass, err := db.SignInBypasses(ctx)
	if err != nil {
		return err
	}
	if bypass == "" {
		say(true, "the server's sign-in is held by row-level security")
	} else {
		say(false, "the server's sign-in %s: sign in as demarc_login", bypass)
	}
	seals, err := db.VerifySeals(ctx, localAccess())
	if err != nil {
		return err
	}
	if seals.Broken == "" {
		say(true, "audit: %d rows under %d seals verify", seals.Sealed, seals.Seals)
	} else {
		say(false, "audit: %s", seals.Broken)
	}
	if seals.Unsealed > 0 {
		say(true, "audit: %d rows not yet sealed, from row %d on", seals.Unsealed, seals.FirstUnsealed)
	}
	if trouble > 0 {
		return &answerNo{fmt.Sprintf("%d of the checks need a look", trouble)}
	}
	return nil
}
