package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// hands gives, for each actor, who stands behind it: itself, whoever made the
// token it is, and the names that person is known by.
func (t *tx) hands(ctx context.Context, actors ...string) (map[string]posture.Hands, error) {
	rows, err := t.Query(ctx, sqlHands, actors)
	if err != nil {
		return nil, fmt.Errorf("read who stands behind the records: %w", err)
	}
	behind := make(map[string]posture.Hands, len(actors))
	var actor, maker, name, email string
	_, err = pgx.ForEachRow(rows, []any{&actor, &maker, &name, &email}, func() error {
		behind[actor] = posture.Hands{Actors: []string{actor, maker}, Names: []string{name, email}}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read who stands behind the records: %w", err)
	}
	return behind, nil
}

// fourEyes says which of the tests the person who acts recorded or ran; they
// are no second pair of eyes for these.
func (t *tx) fourEyes(ctx context.Context, tests []posture.Record) ([]string, error) {
	actors := []string{t.access.Actor}
	rows := make([]int64, len(tests))
	for i := range tests {
		rows[i] = tests[i].Row
	}
	recorders, err := t.recorders(ctx, rows)
	if err != nil {
		return nil, err
	}
	for _, actor := range recorders {
		actors = append(actors, actor)
	}
	behind, err := t.hands(ctx, actors...)
	if err != nil {
		return nil, err
	}
	self := behind[t.access.Actor]
	self.Names = append(self.Names, t.access.Name)
	var own []string
	for i := range tests {
		r := &tests[i]
		if self.Same(posture.Hands{Actors: behind[recorders[r.Row]].Actors, Names: []string{r.Tester}}) {
			own = append(own, r.ID)
		}
	}
	return own, nil
}

// recorders gives the actors that recorded the evidence rows.
func (t *tx) recorders(ctx context.Context, rows []int64) (map[int64]string, error) {
	found, err := t.Query(ctx, `select id, recorded_by from evidence where id = any ($1)`, rows)
	if err != nil {
		return nil, fmt.Errorf("read who recorded the evidence: %w", err)
	}
	recorders := make(map[int64]string, len(rows))
	var row int64
	var actor string
	_, err = pgx.ForEachRow(found, []any{&row, &actor}, func() error {
		recorders[row] = actor
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read who recorded the evidence: %w", err)
	}
	return recorders, nil
}

const sqlHands = `
	select a.actor, coalesce(k.recorded_by, ''), coalesce(p.name, ''), coalesce(p.email, '')
	from unnest($1::text[]) a (actor)
	left join token k on k.id = substring(a.actor from '^token:([0-9]{1,18})$')::bigint
	left join person_version p on p.recorded_to = 'infinity'
		and p.person_id = substring(coalesce(k.recorded_by, a.actor) from '^person:([0-9]{1,18})$')::bigint`
