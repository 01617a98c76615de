package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/alecthomas/kong"
)

// env is all that a command takes from the process; tests hand in their own.
type env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
}

// The exit codes of DESIGN.md §7.
const (
	exitDone   = 0
	exitNo     = 1
	exitInput  = 2
	exitSystem = 3
)

// inputError is a mistake in what the caller gave: exit code 2.
type inputError struct{ err error }

func (e *inputError) Error() string { return e.err.Error() }
func (e *inputError) Unwrap() error { return e.err }

// answerNo is the exit code 1: the work was done and the answer is no.
type answerNo struct{ text string }

func (e *answerNo) Error() string { return e.text }

type cli struct {
	Serve   serveCmd   `cmd:"" help:"Serve the dashboard, on an embedded PostgreSQL unless a database is named."`
	Import  importCmd  `cmd:"" help:"Import results files: what they prove, what they do not, and which verdicts move."`
	Judge   judgeCmd   `cmd:"" help:"Judge a world, or an array of worlds, and print the verdicts as JSON."`
	Migrate migrateCmd `cmd:"" help:"Bring the database's schema to this version."`
	User    userCmd    `cmd:"" help:"List accounts, or make a link by which one gets a new password."`
	Doctor  doctorCmd  `cmd:"" help:"Check the database: schema, sign-in, and the seals of the audit log."`
	Version versionCmd `cmd:"" help:"Print the version."`
}

// run is the whole program: it parses args, runs the command and gives the
// exit code. Errors go to stderr in one sentence.
func run(ctx context.Context, args []string, e *env) int {
	var commands cli
	exited := -1
	parser, err := kong.New(&commands,
		kong.Name("demarc"),
		kong.Description("Keeps the isolation posture of agent runtimes: what is claimed, what is configured, what was tested, and what nobody has said."),
		kong.Writers(e.Stdout, e.Stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.Bind(e),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		fmt.Fprintln(e.Stderr, "demarc:", err)
		return exitSystem
	}
	call, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		fmt.Fprintln(e.Stderr, "demarc:", err)
		return exitInput
	}
	return exitCode(call.Run(), e.Stderr)
}

func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitDone
	}
	var input *inputError
	var no *answerNo
	switch {
	case errors.As(err, &no):
		if no.text != "" {
			fmt.Fprintln(stderr, "demarc:", no)
		}
		return exitNo
	case errors.As(err, &input):
		fmt.Fprintln(stderr, "demarc:", err)
		return exitInput
	default:
		fmt.Fprintln(stderr, "demarc:", err)
		return exitSystem
	}
}
