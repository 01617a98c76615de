package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// moment is the instant of a page, as statements read it.
type moment struct {
	// at is the instant judged, known the second clock.
	at, known time.Time
	// live says that nothing newer than known is on record: what is in force is
	// found by its open end.
	live bool
}

// moment resolves the instant a page asked for. An instant that is not before
// the transaction's time reads what is in force, whatever the clock says.
func (t *tx) moment(o posture.AsOf) moment {
	o = t.at(o)
	return moment{at: o.At, known: o.KnownAt(), live: !o.KnownAt().Before(t.now)}
}

// nowMoment is the moment of the transaction itself.
func (t *tx) nowMoment() moment { return t.moment(posture.AsOf{}) }

// apart says whether the two clocks differ, so that no stored verdict answers.
func (m moment) apart() bool { return !m.at.Equal(m.known) }

// sql writes a statement for the moment. In its text, in_force(v) stands for
// "the interval of the versioned row v holds the known instant" and known(e)
// for "the row e was recorded by then". The live forms are those that partial
// indexes serve.
func (m moment) sql(text string) string {
	var out strings.Builder
	for {
		start, name := firstMark(text)
		if start < 0 {
			out.WriteString(text)
			return out.String()
		}
		open := start + len(name) + 1
		end := open + strings.IndexByte(text[open:], ')')
		out.WriteString(text[:start])
		out.WriteString(m.condition(name, text[open:end]))
		text = text[end+1:]
	}
}

const (
	markInForce = "in_force"
	markKnown   = "known"
)

func firstMark(text string) (start int, name string) {
	start = -1
	for _, mark := range [...]string{markInForce, markKnown} {
		if i := strings.Index(text, " "+mark+"("); i >= 0 && (start < 0 || i+1 < start) {
			start, name = i+1, mark
		}
	}
	return start, name
}

func (m moment) condition(name, alias string) string {
	switch {
	case name == markInForce && m.live:
		return alias + ".recorded_to = 'infinity'"
	case name == markInForce:
		return "(" + alias + ".recorded_from <= @known and " + alias + ".recorded_to > @known)"
	case m.live:
		return "true"
	default:
		return alias + ".recorded_at <= @known"
	}
}

// args gives the named arguments of a statement: the two clocks and more.
func (m moment) args(more pgx.NamedArgs) pgx.NamedArgs {
	all := pgx.NamedArgs{"at": m.at, "known": m.known}
	maps.Copy(all, more)
	return all
}

// query runs a statement written for the moment.
func (t *tx) query(ctx context.Context, m moment, text string, args pgx.NamedArgs) (pgx.Rows, error) {
	return t.Query(ctx, m.sql(text), m.args(args))
}

// queryRow runs a statement of one row, written for the moment.
func (t *tx) queryRow(ctx context.Context, m moment, text string, args pgx.NamedArgs) pgx.Row {
	return t.QueryRow(ctx, m.sql(text), m.args(args))
}

// settleLimit is how many verdicts a request settles itself (DESIGN.md §5).
const settleLimit = 2000

var errPassed = errors.New("verdicts are due")

// page reads a page on one snapshot, after settling the verdicts whose time
// has passed by the page's instant. What is left to a job is counted in
// settling; lists leave those rows out of what they filter, sort and count.
func (s *Store) page(ctx context.Context, a posture.Access, o posture.AsOf,
	fn func(ctx context.Context, t *tx, m moment, settling int) error,
) error {
	attempt := func(settled bool) error {
		return s.read(ctx, a, func(ctx context.Context, t *tx) error {
			m := t.moment(o)
			var settling int
			if err := t.QueryRow(ctx, sqlPassedVerdicts, m.at).Scan(&settling); err != nil {
				return fmt.Errorf("count the verdicts whose time has passed: %w", err)
			}
			if settling > 0 && !settled {
				return errPassed
			}
			return fn(ctx, t, m, settling)
		})
	}
	err := attempt(false)
	if !errors.Is(err, errPassed) {
		return err
	}
	if _, err := s.Settle(ctx, a, settleLimit); err != nil {
		return err
	}
	return attempt(true)
}

const sqlPassedVerdicts = `
	select count(*) from (
		select from verdict
		where recorded_to = 'infinity' and changes_at < 'infinity' and changes_at <= $1 limit 10000) passed`
