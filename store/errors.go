package store

import (
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"demarc/store/posture"
)

// constraintSentences say, for each constraint that a person can run into,
// which field it is about and what to do.
var constraintSentences = map[string]posture.FieldError{
	"runtime_slug":         {Field: "slug", Text: "Another runtime has this short name. Choose another."},
	"component_slug":       {Field: "slug", Text: "Another component has this short name. Choose another."},
	"runtime_slug_form":    {Field: "slug", Text: "Use lower-case letters, digits and hyphens, at most 63, beginning with a letter or digit."},
	"component_slug_form":  {Field: "slug", Text: "Use lower-case letters, digits and hyphens, at most 63, beginning with a letter or digit."},
	"portfolio_slug_form":  {Field: "slug", Text: "Use lower-case letters, digits and hyphens, at most 63, beginning with a letter or digit."},
	"portfolio_slug":       {Field: "slug", Text: "Another portfolio has this short name. Choose another."},
	"person_email":         {Field: "email", Text: "Somebody has an account with this address already."},
	"evidence_clocks":      {Field: "observed_at", Text: "The observed instant lies after now. Give the instant at which it was seen."},
	"evidence_region":      {Field: "region", Text: "Name the region it was taken in; “any” is for documents that speak for every region."},
	"acceptance_span":      {Field: "expires_at", Text: "The day on which it lapses must lie ahead."},
	"runtime_link_current": {Field: "component", Text: "The runtime is linked to this component already."},
}

// readable turns what PostgreSQL says into an error that the rest of the
// product knows. An error that is one of ours already passes.
func readable(err error) error {
	var ours *posture.Error
	if err == nil || errors.As(err, &ours) {
		return err
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return &posture.Error{Kind: posture.NotFound, Text: "There is nothing at this address, or it is outside your portfolios.", Err: err}
	}
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		return err
	}
	if f, ok := constraintSentences[pgErr.ConstraintName]; ok {
		return &posture.Error{Kind: posture.Invalid, Fields: []posture.FieldError{f}, Err: err}
	}
	switch pgErr.Code {
	case "22P02", "P0002":
		return &posture.Error{Kind: posture.NotFound, Text: "There is nothing at this address, or it is outside your portfolios.", Err: err}
	case "42501":
		return &posture.Error{Kind: posture.Forbidden, Text: "This is outside your portfolios.", Err: err}
	case "53100":
		return fmt.Errorf("the database's disk is full: free space on it, nothing was stored: %w", err)
	default:
		return err
	}
}

// conflict says that somebody saved the record since the editor read it.
func conflict(what string, now int) *posture.Error {
	return &posture.Error{
		Kind: posture.Conflicting,
		Text: fmt.Sprintf("%s was saved by somebody else while you were writing; it is at version %d now. Nothing of yours is lost.", what, now),
	}
}
