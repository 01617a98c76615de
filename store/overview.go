package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"demarc/store/posture"
)

// Overview gives the start page: one page of the posture matrix by short name,
// honest counts over everything in reach, what is due from the reader and what
// moved since the reader's look before this one. It takes at most nine
// statements.
func (s *Store) Overview(ctx context.Context, a posture.Access, o posture.AsOf, after string, limit int) (page posture.Overview, err error) {
	lib, err := loadShelf()
	if err != nil {
		return page, err
	}
	limit = pageLimit(limit)
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, settling int) error {
		page = posture.Overview{At: m.at, Settling: settling}
		filter := runtimeFilterArgs(&posture.RuntimeFilter{After: after, Limit: limit})
		runtimes, next, err := t.listRuntimes(ctx, m, filter, limit)
		if err != nil {
			return err
		}
		page.Next = next
		reach, err := t.reachOf(ctx, m, runtimes)
		if err != nil {
			return err
		}
		for i := range runtimes {
			page.Rows = append(page.Rows, posture.MatrixRow{Runtime: runtimes[i], Cells: cells(lib, &runtimes[i], reach.judged(&runtimes[i]))})
		}
		if page.Runtimes, page.Counts, err = t.counts(ctx, m); err != nil {
			return err
		}
		if page.Due, page.DueTotal, err = t.dueItems(ctx, lib, m); err != nil {
			return err
		}
		if page.Since, err = t.lookedBefore(ctx, m); err != nil {
			return err
		}
		if page.Moved, err = t.moved(ctx, m, page.Since); err != nil {
			return err
		}
		page.Outside, err = t.outside(ctx, m)
		return err
	})
	return page, err
}

// counts gives the runtimes in reach and their required statements by label.
// Verdicts whose time has passed are left out; they are said to be settling.
func (t *tx) counts(ctx context.Context, m moment) (runtimes int, c posture.StatementCounts, err error) {
	rows, err := t.query(ctx, m, sqlCounts, nil)
	if err != nil {
		return 0, c, fmt.Errorf("count statements: %w", err)
	}
	var word string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&word, &n}, func() error {
		if word == "" {
			runtimes = n
			return nil
		}
		label, err := posture.ParseLabel(word)
		count(&c, label, n)
		return err
	})
	if err != nil {
		return 0, c, fmt.Errorf("count statements: %w", err)
	}
	if m.apart() {
		c, err = t.countsApart(ctx, m)
	}
	return runtimes, c, err
}

// countsApart counts what no stored row answers: the two clocks differ.
func (t *tx) countsApart(ctx context.Context, m moment) (c posture.StatementCounts, err error) {
	rows, err := t.query(ctx, m, sqlSubjectsInUse, nil)
	if err != nil {
		return c, err
	}
	subjects, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		return c, err
	}
	list, err := t.labels(ctx, m, subjects)
	for i := range list {
		if list[i].Required {
			count(&c, list[i].Label, 1)
		}
	}
	return c, err
}

// lookedBefore gives the instant since which moves are told: the look before
// the one that goes on, or fourteen days back.
func (t *tx) lookedBefore(ctx context.Context, m moment) (time.Time, error) {
	since := m.at.Add(-firstLook)
	if t.access.Person == 0 || !m.live {
		return since, nil
	}
	var at, previous time.Time
	err := t.QueryRow(ctx, sqlLook, t.access.Person).Scan(&at, &previous)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return since, nil
	case err != nil:
		return since, fmt.Errorf("read the look before: %w", err)
	case at.Before(m.at.Add(-oneLook)):
		return at.UTC(), nil
	default:
		return previous.UTC(), nil
	}
}

// movedRows is how many moves a page tells.
const movedRows = 12

// moved lists the required statements whose label moved after since, newest
// first.
func (t *tx) moved(ctx context.Context, m moment, since time.Time) ([]posture.Move, error) {
	rows, err := t.query(ctx, m, sqlMoved, pgx.NamedArgs{"since": since, "until": m.until(), "limit": movedRows})
	if err != nil {
		return nil, fmt.Errorf("read what moved: %w", err)
	}
	return pgx.CollectRows(rows, scanMove)
}

func scanMove(row pgx.CollectableRow) (posture.Move, error) {
	var move posture.Move
	var kind, cause string
	var words [4]string
	var before, after posture.Verdict
	var hard, soft [2][]int64
	var accepted [2]*int64
	var lapsed [2]int16
	if err := row.Scan(&move.At, &move.Subject.ID, &kind, &move.Subject.Slug, &move.Subject.Name,
		&move.Runtime.ID, &move.Runtime.Slug, &move.Runtime.Name, &move.Statement, &cause,
		&words[0], &words[1], &hard[0], &soft[0], &accepted[0], &lapsed[0],
		&words[2], &words[3], &hard[1], &soft[1], &accepted[1], &lapsed[1]); err != nil {
		return move, err
	}
	move.At = move.At.UTC()
	for i, v := range [...]*posture.Verdict{&before, &after} {
		if err := parseVerdictWords(v, words[2*i], words[2*i+1], "not_stated", "not_stated"); err != nil {
			return move, err
		}
		v.Hard, v.Soft, v.Lapsed = evidenceIDs(hard[i]), evidenceIDs(soft[i]), posture.Lapse(lapsed[i])
		if accepted[i] != nil {
			v.Acceptance = acceptanceID(*accepted[i])
		}
	}
	move.From, move.To, move.Because = before.Label, after.Label, because(cause, &before, &after)
	var err error
	move.Subject.Kind, err = posture.ParseSubjectKind(kind)
	return move, err
}

// because says why a verdict moved; of time alone nothing is said that the
// lapse does not say better.
func because(cause string, before, after *posture.Verdict) string {
	if cause != causeTime {
		return posture.Because(cause, before, after)
	}
	if text := posture.Because("", before, after); text != "" {
		return text
	}
	return "its time had passed"
}

// causeTime is the cause that rejudge writes on a lapse.
const causeTime = "time"

// outside counts the runtimes in use outside the reader's portfolios.
func (t *tx) outside(ctx context.Context, m moment) (n int, err error) {
	if t.access.AllPortfolios {
		return 0, nil
	}
	known := &m.known
	if m.live {
		known = nil
	}
	if err := t.QueryRow(ctx, sqlOutside, known).Scan(&n); err != nil {
		return 0, fmt.Errorf("count the runtimes outside: %w", err)
	}
	return n, nil
}

// until is the last instant of what was known: none for a live moment.
func (m moment) until() pgtype.Timestamptz {
	if m.live {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: m.known, Valid: true}
}

const (
	retiredSubjects = `
		select r.subject_id from runtime r join runtime_version rv on rv.runtime_id = r.id and in_force(rv) and rv.retired
		union all
		select c.subject_id from component c join component_version cv on cv.component_id = c.id and in_force(cv) and cv.retired`

	// The row without a label counts the runtimes.
	sqlCounts = `
		select '', count(*) from runtime r join runtime_version rv on rv.runtime_id = r.id and in_force(rv) and not rv.retired
		union all
		select j.label::text, count(*) from verdict j
		where in_force(j) and j.required and j.changes_at > @at and j.subject_id not in (` + retiredSubjects + `)
		group by j.label`

	sqlSubjectsInUse = `
		select distinct j.subject_id from verdict j
		where in_force(j) and j.required and j.subject_id not in (` + retiredSubjects + `)`

	sqlLook = `select at, previous from look where person_id = $1`

	// A verdict moved when its interval was closed: first verdicts are no moves.
	sqlMoved = `
		select j.recorded_from, s.id, s.kind, coalesce(r.slug, c.slug), coalesce(rv.name, cv.name),
			coalesce(r.subject_id, u.subject_id, 0), coalesce(r.slug, u.slug, ''), coalesce(rv.name, u.name, ''), j.statement, j.cause,
			b.label::text, b.state::text, b.hard, b.soft, b.acceptance_id, b.lapsed,
			j.label::text, j.state::text, j.hard, j.soft, j.acceptance_id, j.lapsed
		from (
			select b.subject_id, b.statement, b.recorded_to, b.label, b.state, b.hard, b.soft, b.acceptance_id, b.lapsed
			from verdict b
			where b.recorded_to > @since and b.recorded_to < 'infinity' and b.recorded_to <= @until
				and exists (select from verdict n where n.subject_id = b.subject_id and n.statement = b.statement
					and n.recorded_from = b.recorded_to and n.label <> b.label and n.required)
			order by b.recorded_to desc limit @limit) b
		join verdict j on j.subject_id = b.subject_id and j.statement = b.statement and j.recorded_from = b.recorded_to
		join subject s on s.id = b.subject_id
		left join runtime r on r.subject_id = s.id
		left join runtime_version rv on rv.runtime_id = r.id and rv.recorded_to = 'infinity'
		left join component c on c.subject_id = s.id
		left join component_version cv on cv.component_id = c.id and cv.recorded_to = 'infinity'
		left join lateral (
			select ru.subject_id, ru.slug, uv.name
			from runtime_link l join runtime ru on ru.id = l.runtime_id
			join runtime_version uv on uv.runtime_id = ru.id and uv.recorded_to = 'infinity' and not uv.retired
			where l.component_id = c.id and in_force(l) order by ru.slug limit 1) u on true
		order by j.recorded_from desc, s.id, j.statement`

	sqlOutside = `select runtimes_outside($1)`
)
