package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"demarc/store/posture"
)

// RuleOut says that a statement does not apply to the target in force
// (model.md §2.8): n.Subject.ID, n.Statement, n.Reason and, where it ends, a
// day ahead in n.ExpiresAt. It lapses when version, policy or configuration
// moves, and a failure outranks it.
func (s *Store) RuleOut(ctx context.Context, a posture.Access, n posture.RulingRecord) (saved posture.RulingRecord, moves []posture.Movement, err error) {
	if err := a.Need(posture.RuleOut); err != nil {
		return n, nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		saved, moves, err = t.ruleOut(ctx, n)
		return err
	})
	return saved, moves, err
}

// PreviewRuling says what the ruling would move. Nothing is saved.
func (s *Store) PreviewRuling(ctx context.Context, a posture.Access, n posture.RulingRecord) (p posture.Preview, err error) {
	if err := a.Need(posture.RuleOut); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		_, moves, err := t.ruleOut(ctx, n)
		if err != nil {
			return err
		}
		if p, err = t.preview(ctx, n.Subject.ID, n.Statement, moves); err != nil {
			return err
		}
		p.Notes = append(p.Notes, "It lapses at once when version, policy or configuration moves. A failure outranks it.")
		return errRollBack
	})
	return p, err
}

func (t *tx) ruleOut(ctx context.Context, n posture.RulingRecord) (posture.RulingRecord, []posture.Movement, error) {
	holder, err := t.holder(ctx, n.Subject.ID)
	if err != nil {
		return n, nil, err
	}
	subjects := []int64{n.Subject.ID}
	if err := t.lockSubjects(ctx, subjects); err != nil {
		return n, nil, err
	}
	f, err := t.factsOf(ctx, n.Subject.ID)
	if err != nil {
		return n, nil, err
	}
	var faults posture.Fields
	n.Subject, n.Identity, n.ExpiresAt = holder.SubjectRef, f.targetAt(t.now).Identity, n.ExpiresAt.UTC().Truncate(posture.Tick)
	n.Reason = strings.TrimSpace(n.Reason)
	f.checkStatement(&faults, n.Statement)
	cleanText(&faults, "reason", &n.Reason, longText)
	if n.Reason == "" {
		faults.Add("reason", "Write why the statement does not apply to this configuration.")
	}
	checkWords(&faults, "reason", n.Reason)
	if !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(t.now) {
		faults.Add("expires_at", "The day on which it ends must lie ahead, or be left out.")
	}
	if unknown := posture.UnknownFacets(&n.Identity, posture.RuleFacets()); len(unknown) > 0 {
		faults.Add("identity", "A ruling is bound to the target, and its "+posture.FacetWords(unknown)+" is not known: record it first.")
	}
	if err := faults.Err(); err != nil {
		return n, nil, err
	}
	if err := t.QueryRow(ctx, sqlInsertRuling, n.Subject.ID, n.Statement, n.Identity.Map(), t.now, t.access.Actor,
		nullTime(n.ExpiresAt), n.Reason).Scan(&n.Row); err != nil {
		return n, nil, fmt.Errorf("rule out: %w", err)
	}
	n.ID, n.At, n.By, n.ByName = rulingID(n.Row), t.now, t.access.Actor, t.access.Name
	moves, err := t.rejudge(ctx, subjects, n.ID)
	return n, moves, err
}

// checkStatement refuses a decision on a statement that nobody requires of the
// subject and that nothing is recorded on.
func (f *subjectFacts) checkStatement(faults *posture.Fields, statement string) {
	if !slices.Contains(f.statements(), statement) {
		faults.Add("statement", "Choose a statement that is required of "+f.Subject.Slug+" or has evidence there.")
	}
}

const sqlInsertRuling = `
	insert into ruling (subject_id, statement, identity, recorded_at, recorded_by, expires_at, reason)
	values ($1, $2, $3, $4, $5, coalesce($6, 'infinity'::timestamptz), $7) returning id`
