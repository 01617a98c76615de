package store

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// RecordTarget records a new identity of a subject, judges its statements on
// it and gives what moved. An identity that says what the one in force says
// changes nothing and gives that one.
func (s *Store) RecordTarget(ctx context.Context, a posture.Access, subject int64, target posture.Target) (made posture.Target, moves []posture.Movement, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return target, nil, err
	}
	if err := checkTarget(&target); err != nil {
		return target, nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		if _, err := t.subject(ctx, subject); err != nil {
			return err
		}
		if err := t.lockSubjects(ctx, []int64{subject}); err != nil {
			return err
		}
		before, err := t.targets(ctx, t.nowMoment(), subject, 1)
		if err != nil {
			return err
		}
		var now posture.Target
		if len(before) > 0 {
			now = before[0]
		}
		if len(before) > 0 && now.Identity == target.Identity {
			made = now
			return nil
		}
		target.Subject = subject
		if err := t.insertTarget(ctx, &target); err != nil {
			return err
		}
		made = target
		moves, err = t.rejudge(ctx, []int64{subject}, movedWords(&now.Identity, &target.Identity))
		return err
	})
	return made, moves, err
}

// PreviewTarget says what a new identity would make of the subject's
// statements: each whose label or rung would change, and the facets that make
// the difference. Nothing is saved.
func (s *Store) PreviewTarget(ctx context.Context, a posture.Access, subject int64, target posture.Target) (list []posture.Staleness, err error) {
	if err := checkTarget(&target); err != nil {
		return nil, err
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		facts, err := t.loadFacts(ctx, []int64{subject})
		if err != nil {
			return err
		}
		f := facts[subject]
		if f == nil {
			return posture.NotFoundError("runtime or component")
		}
		list = staleness(f, &target.Identity, t.now)
		return nil
	})
	return list, err
}

func staleness(f *subjectFacts, next *posture.Identity, now time.Time) []posture.Staleness {
	var list []posture.Staleness
	for _, statement := range f.statements() {
		facts := f.at(statement, now)
		before := posture.Judge(&facts, now, now)
		on := func(id posture.Identity) posture.Verdict {
			moved := facts
			moved.Target = id
			return posture.Judge(&moved, now, now)
		}
		after := on(*next)
		if sameStanding(&before, &after) {
			continue
		}
		list = append(list, posture.Staleness{
			Subject: f.Subject, Statement: statement, Before: before, After: after,
			Moved: decisive(&facts.Target, next, func(id posture.Identity) bool {
				v := on(id)
				return !sameStanding(&before, &v)
			}),
		})
	}
	return list
}

func sameStanding(a, b *posture.Verdict) bool {
	return a.Label == b.Label && a.State == b.State && a.Rung == b.Rung && a.Met == b.Met
}

// decisive lists the facets that differ between two identities and each of
// which moves the verdict by itself; where only several together do, all that
// differ.
func decisive(before, after *posture.Identity, moves func(posture.Identity) bool) []posture.Facet {
	var alone, all []posture.Facet
	for _, facet := range posture.Facets() {
		if before[facet] == after[facet] {
			continue
		}
		all = append(all, facet)
		one := *before
		one[facet] = after[facet]
		if moves(one) {
			alone = append(alone, facet)
		}
	}
	if len(alone) == 0 {
		return all
	}
	return alone
}

// movedWords says which facets differ, as the cause of a movement.
func movedWords(before, after *posture.Identity) string {
	var names []string
	for _, facet := range posture.Facets() {
		if before[facet] != after[facet] {
			names = append(names, facet.String())
		}
	}
	if len(names) == 1 {
		return names[0] + " moved"
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " moved"
}

// Targets lists the identities of a subject, newest first, at most 200.
func (s *Store) Targets(ctx context.Context, a posture.Access, subject int64, o posture.AsOf) (list []posture.Target, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		if _, err := t.subject(ctx, subject); err != nil {
			return err
		}
		list, err = t.targets(ctx, t.moment(o), subject, 200)
		return err
	})
	return list, err
}

func (t *tx) targets(ctx context.Context, m moment, subject int64, limit int) ([]posture.Target, error) {
	rows, err := t.query(ctx, m, sqlTargets, pgx.NamedArgs{"subject": subject, "limit": limit})
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.Target, error) {
		g := posture.Target{Subject: subject}
		var facets []string
		err := row.Scan(&g.ID, &g.RecordedAt, &g.RecordedBy, &g.Reason, &facets)
		g.Identity, g.RecordedAt = identityFrom(facets), g.RecordedAt.UTC()
		return g, err
	})
}

// firstTarget records the identity that a subject begins with, if it has one.
func (t *tx) firstTarget(ctx context.Context, target *posture.Target) error {
	if target.Identity == (posture.Identity{}) {
		return nil
	}
	return t.insertTarget(ctx, target)
}

func (t *tx) insertTarget(ctx context.Context, target *posture.Target) error {
	target.RecordedAt, target.RecordedBy = t.now, t.access.Actor
	args := append([]any{target.Subject, t.now, target.RecordedBy, target.Reason}, identityValues(&target.Identity)...)
	return t.QueryRow(ctx, sqlInsertTarget, args...).Scan(&target.ID)
}

// targetFrom makes a target of nullable columns: the subject may have none.
func targetFrom(subject int64, id *int64, at *time.Time, by, reason *string, facets []string) posture.Target {
	target := posture.Target{Subject: subject}
	if id == nil {
		return target
	}
	target.ID, target.RecordedAt, target.Identity = *id, at.UTC(), identityFrom(facets)
	target.RecordedBy, target.Reason = *by, *reason
	return target
}

func checkTarget(target *posture.Target) error {
	var faults posture.Fields
	cleanIdentity(&faults, target)
	if target.Identity == (posture.Identity{}) {
		faults.Add("vendor", "Name what is running: at least vendor and product.")
	}
	return faults.Err()
}

// cleanIdentity trims the facets and refuses what identifies nothing.
func cleanIdentity(faults *posture.Fields, target *posture.Target) {
	for _, facet := range posture.Facets() {
		cleanText(faults, facet.String(), &target.Identity[facet], longText)
	}
	if target.Identity[posture.Region] == posture.RegionAny {
		*faults = append(*faults, posture.FieldError{
			Field: "region",
			Text:  "Name the region it runs in; “any” is for documents that speak for every region.",
		})
	}
	cleanText(faults, "reason", &target.Reason, longNote)
}

const (
	sqlTargetInForce = `select g.id, g.recorded_at, g.recorded_by, g.reason, ` + identityArray + ` identity from target g`

	sqlTargets = `
		select g.id, g.recorded_at, actor_name(g.recorded_by), g.reason, ` + identityArray + `
		from target g where g.subject_id = @subject and known(g)
		order by g.recorded_at desc, g.id desc limit @limit`

	sqlInsertTarget = `
		insert into target (subject_id, recorded_at, recorded_by, reason, ` + identityColumns + `)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id`
)
