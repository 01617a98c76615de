package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// CloseEvidence closes one negative (model.md §2.7): c.Closes and c.Kind say
// which and why; fixed_verified names c.Fix and the passing denies in
// c.Evidence, not_applicable a c.Justification and c.Text, test_invalid
// c.Text. A closure is bound to the target in force; fixed_verified may name in
// c.Identity another target of the subject that was in force after the
// failure. What could never take effect is refused with the reason, and so is
// a closer who is the tester or recorder of the test it rests on.
func (s *Store) CloseEvidence(ctx context.Context, a posture.Access, c posture.ClosureRecord) (saved posture.ClosureRecord, moves []posture.Movement, err error) {
	if err := a.Need(posture.CloseNegatives); err != nil {
		return c, nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		saved, moves, _, err = t.closeEvidence(ctx, c)
		return err
	})
	return saved, moves, err
}

// PreviewClosure says what the closure would move. Nothing is saved.
func (s *Store) PreviewClosure(ctx context.Context, a posture.Access, c posture.ClosureRecord) (p posture.Preview, err error) {
	if err := a.Need(posture.CloseNegatives); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		_, moves, r, err := t.closeEvidence(ctx, c)
		if err != nil {
			return err
		}
		if p, err = t.preview(ctx, r.Subject.ID, r.Statement, moves); err != nil {
			return err
		}
		return errRollBack
	})
	return p, err
}

func (t *tx) closeEvidence(ctx context.Context, c posture.ClosureRecord) (posture.ClosureRecord, []posture.Movement, posture.Record, error) {
	row, err := parseID('E', c.Closes)
	if err != nil {
		return c, nil, posture.Record{}, err
	}
	r, err := t.record(ctx, t.nowMoment(), row)
	if err != nil {
		return c, nil, r, err
	}
	if err := t.lockSubjects(ctx, []int64{r.Subject.ID}); err != nil {
		return c, nil, r, err
	}
	if c, err = t.checkClosure(ctx, c, row, &r); err != nil {
		return c, nil, r, err
	}
	if err := t.insertClosure(ctx, &c, row); err != nil {
		return c, nil, r, err
	}
	moves, err := t.rejudge(ctx, []int64{r.Subject.ID}, c.ID)
	return c, moves, r, err
}

// checkClosure refuses what may not be closed so, and gives the closure with
// the identity it is bound to.
func (t *tx) checkClosure(ctx context.Context, c posture.ClosureRecord, row int64, r *posture.Record) (posture.ClosureRecord, error) {
	f, err := t.factsOf(ctx, r.Subject.ID)
	if err != nil {
		return c, err
	}
	judging := f.at(r.Statement, t.now)
	e, tests := &r.Evidence, map[string]*posture.Evidence{}
	for i := range judging.Evidence {
		p := &judging.Evidence[i]
		tests[p.ID] = p
		if p.ID == r.ID {
			e = p
		}
	}
	var faults posture.Fields
	if c.Kind != posture.FixedVerified || c.Identity == (posture.Identity{}) {
		c.Identity = judging.Target
	} else if !f.inForceAfter(&c.Identity, e) {
		faults.Add("identity", "This is no identity that "+r.Subject.Slug+" had after "+r.ID+" was observed. Choose the target the fix was made on.")
	}
	if c.Kind != posture.FixedVerified {
		c.Evidence, c.Fix = nil, ""
	}
	if c.Kind != posture.ClosureNotApplicable {
		c.Justification = ""
	}
	faults = append(faults, posture.CheckClosure(&c, e, tests, &judging.Target, f.Subject.Kind)...)
	v := posture.Judge(&judging, t.now, t.now)
	for _, k := range judging.Closures {
		again := k.Closes == r.ID && k.Kind == c.Kind && k.RevokedAt.IsZero() && k.Identity == c.Identity
		if again && !slices.Contains(v.OpenNegatives(), r.ID) {
			return c, &posture.Error{Kind: posture.Conflicting, Text: k.ID + " closes " + r.ID + " already. Nothing changed."}
		}
	}
	if err := t.checkCloser(ctx, &faults, &c, row); err != nil {
		return c, err
	}
	c.Subject = r.Subject
	return c, faults.Err()
}

// checkCloser holds the four-eyes rule: who closes is neither the tester nor
// the recorder of the verifying tests, or of the test found invalid.
func (t *tx) checkCloser(ctx context.Context, faults *posture.Fields, c *posture.ClosureRecord, row int64) error {
	rows := []int64{row}
	switch c.Kind {
	case posture.FixedVerified:
		rows = rows[:0]
		for _, id := range c.Evidence {
			if row, err := parseID('E', id); err == nil {
				rows = append(rows, row)
			}
		}
	case posture.TestInvalid:
	default:
		return nil
	}
	tests, err := t.records(ctx, t.nowMoment(), sqlEvidenceRows, pgx.NamedArgs{"rows": rows})
	if err != nil {
		return err
	}
	own, err := t.fourEyes(ctx, tests)
	if err != nil {
		return err
	}
	if len(own) > 0 {
		faults.Add("evidence", "You recorded or ran "+strings.Join(own, ", ")+". Somebody else closes on it: who closes must not be who tested.")
	}
	return nil
}

// inForceAfter says whether an identity was a target of the subject at some
// time after the record was observed.
func (f *subjectFacts) inForceAfter(id *posture.Identity, e *posture.Evidence) bool {
	for i := range f.targets {
		last := i == len(f.targets)-1
		if f.targets[i].Identity == *id && (last || f.targets[i+1].RecordedAt.After(e.ObservedAt)) {
			return true
		}
	}
	return false
}

func (t *tx) insertClosure(ctx context.Context, c *posture.ClosureRecord, closes int64) error {
	verified, err := evidenceRows(c.Evidence)
	if err != nil {
		return err
	}
	err = t.QueryRow(ctx, sqlInsertClosure, c.Subject.ID, closes, c.Kind.String(), c.Identity.Map(), t.now, t.access.Actor, verified,
		c.Justification, strings.TrimSpace(c.Text), strings.TrimSpace(c.Fix)).Scan(&c.Row)
	if err != nil {
		return fmt.Errorf("close %s: %w", c.Closes, err)
	}
	c.ID, c.At, c.By, c.ByName = closureID(c.Row), t.now, t.access.Actor, t.access.Name
	return nil
}

// ClosureCandidates lists the passing denies that would verify the fix of a
// negative on the target in force, newest first, and says of the newest others
// why they would not, or who may not close on them.
func (s *Store) ClosureCandidates(ctx context.Context, a posture.Access, row int64) (list []posture.Record, others []string, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		m := t.nowMoment()
		r, err := t.record(ctx, m, row)
		if err != nil {
			return err
		}
		all, err := t.factsOf(ctx, r.Subject.ID)
		if err != nil {
			return err
		}
		f := all.at(r.Statement, t.now)
		c := posture.Closure{Kind: posture.FixedVerified, Identity: f.Target}
		var fit []int64
		for i := len(f.Evidence) - 1; i >= 0; i-- {
			p := &f.Evidence[i]
			if p.Kind != posture.KindTest || p.Expected != posture.Deny || p.Outcome != posture.Pass {
				continue
			}
			why := posture.NotReverifying(p, &r.Evidence, &c, f.Subject)
			switch id, err := parseID('E', p.ID); {
			case err != nil:
				return err
			case why == "" && len(fit) < someRows:
				fit = append(fit, id)
			case why != "" && len(others) < someRows:
				others = append(others, p.ID+": "+why)
			}
		}
		if list, err = t.records(ctx, m, sqlEvidenceRows, pgx.NamedArgs{"rows": fit}); err != nil {
			return err
		}
		slices.Reverse(list)
		own, err := t.fourEyes(ctx, list)
		for _, id := range own {
			others = append(others, id+": you recorded or ran it, so somebody else closes on it")
		}
		return err
	})
	return list, others, err
}

const sqlInsertClosure = `
	insert into closure (subject_id, evidence_id, kind, identity, recorded_at, recorded_by, verified_by, justification, reason, fix)
	values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`
