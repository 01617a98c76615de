package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Subject names a subject in reach.
func (s *Store) Subject(ctx context.Context, a posture.Access, id int64) (ref posture.SubjectRef, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		ref, err = t.subject(ctx, id)
		return err
	})
	return ref, err
}

// pickerLimit bounds the lists that forms choose from.
const pickerLimit = 500

// Subjects lists what can be chosen in a form: units first, by slug, at most
// 500. Retired ones are left out.
func (s *Store) Subjects(ctx context.Context, a posture.Access) (list []posture.SubjectRef, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		rows, err := t.Query(ctx, sqlSubjects, pickerLimit)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, scanSubject)
		return err
	})
	return list, err
}

func (t *tx) subject(ctx context.Context, id int64) (posture.SubjectRef, error) {
	rows, err := t.Query(ctx, sqlSubject, id)
	if err != nil {
		return posture.SubjectRef{}, err
	}
	ref, err := pgx.CollectExactlyOneRow(rows, scanSubject)
	if errors.Is(err, pgx.ErrNoRows) {
		return ref, posture.NotFoundError("runtime or component")
	}
	return ref, err
}

func scanSubject(row pgx.CollectableRow) (posture.SubjectRef, error) {
	var ref posture.SubjectRef
	var kind string
	if err := row.Scan(&ref.ID, &kind, &ref.Slug, &ref.Name); err != nil {
		return ref, err
	}
	var err error
	ref.Kind, err = posture.ParseSubjectKind(kind)
	return ref, err
}

// insertSubject makes a subject in a portfolio in reach, the default one where
// portfolio is 0, and locks it.
func (t *tx) insertSubject(ctx context.Context, kind posture.SubjectKind, portfolio int64) (subject, in int64, err error) {
	if portfolio == 0 {
		portfolio, err = t.defaultPortfolio(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			return 0, 0, posture.InvalidField("portfolio", "You reach no portfolio. Ask an administrator for one.")
		}
		if err != nil {
			return 0, 0, err
		}
	}
	if err := t.QueryRow(ctx, sqlInsertSubject, kind.String(), portfolio, t.now).Scan(&subject); err != nil {
		return 0, 0, err
	}
	return subject, portfolio, t.lockSubjects(ctx, []int64{subject})
}

// Looked remembers that a person looks at the overview. Looks less than half an
// hour apart are one: what moved is told since the look before it.
func (s *Store) Looked(ctx context.Context, a posture.Access) error {
	if a.Person == 0 {
		return nil
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		_, err := t.Exec(ctx, sqlLooked, a.Person, t.now, t.now.Add(-firstLook), t.now.Add(-oneLook))
		return err
	})
}

const (
	// firstLook is how far back "what moved" reaches for who never looked.
	firstLook = 14 * posture.Day
	// oneLook is how long a look lasts from its last request.
	oneLook = 30 * time.Minute
)

const (
	// A look's previous is kept while the look goes on, and becomes the last
	// instant of the look before when a new one begins.
	sqlLooked = `
		insert into look (person_id, at, previous) values ($1, $2, $3)
		on conflict (person_id) do update
		set at = excluded.at, previous = case when look.at < $4 then look.at else look.previous end`

	sqlSubject = `
		select s.id, s.kind, coalesce(r.slug, c.slug), coalesce(rv.name, cv.name)
		from subject s
		left join runtime r on r.subject_id = s.id
		left join runtime_version rv on rv.runtime_id = r.id and rv.recorded_to = 'infinity'
		left join component c on c.subject_id = s.id
		left join component_version cv on cv.component_id = c.id and cv.recorded_to = 'infinity'
		where s.id = $1`

	sqlSubjects = `
		select r.subject_id, 'unit', r.slug, v.name
		from runtime r join runtime_version v on v.runtime_id = r.id and v.recorded_to = 'infinity' and not v.retired
		union all
		select c.subject_id, 'receiver', c.slug, v.name
		from component c join component_version v on v.component_id = c.id and v.recorded_to = 'infinity' and not v.retired
		order by 2 desc, 3 limit $1`

	sqlInsertSubject = `insert into subject (kind, portfolio_id, recorded_at) values ($1, $2, $3) returning id`
)
