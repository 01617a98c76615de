package store

import (
	"context"
	"fmt"
	"strings"

	"demarc/store/posture"
)

// Withdraw takes a record out of what counts, from now on; the record stays
// readable. A failing deny is closed instead, and what else stands against a
// statement is withdrawn by somebody who did not record it, unless it is a
// document that was itself wrong (model.md §2.7).
func (s *Store) Withdraw(ctx context.Context, a posture.Access, row int64, reason string) (moves []posture.Movement, err error) {
	if err := a.Need(posture.RecordEvidence); err != nil {
		return nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		if err := checkReason(reason); err != nil {
			return err
		}
		moves, _, err = t.withdraw(ctx, row, reason)
		return err
	})
	return moves, err
}

// PreviewWithdraw says what withdrawing the record would move. Nothing is
// saved.
func (s *Store) PreviewWithdraw(ctx context.Context, a posture.Access, row int64) (p posture.Preview, err error) {
	if err := a.Need(posture.RecordEvidence); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		moves, r, err := t.withdraw(ctx, row, "preview")
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

func (t *tx) withdraw(ctx context.Context, row int64, reason string) ([]posture.Movement, posture.Record, error) {
	r, err := t.record(ctx, t.nowMoment(), row)
	if err != nil {
		return nil, r, err
	}
	if err := t.lockSubjects(ctx, []int64{r.Subject.ID}); err != nil {
		return nil, r, err
	}
	if r, err = t.record(ctx, t.nowMoment(), row); err != nil {
		return nil, r, err
	}
	if r.WithdrawnBecause != "" {
		return nil, r, &posture.Error{Kind: posture.Conflicting, Text: r.ID + " was withdrawn on " + r.WithdrawnAt.Format("2 Jan 2006") + ". Nothing changed."}
	}
	if why := posture.NotWithdrawn(&r.Evidence); why != "" {
		return nil, r, posture.InvalidField("reason", why)
	}
	if posture.NeedsSecondPerson(&r.Evidence) {
		own, err := t.fourEyes(ctx, []posture.Record{r})
		if err != nil {
			return nil, r, err
		}
		if len(own) > 0 {
			return nil, r, posture.InvalidField("reason", r.ID+" stands against the statement and you recorded or ran it: somebody else withdraws it.")
		}
	}
	if _, err := t.Exec(ctx, sqlInsertWithdrawal, row, t.now, t.access.Actor, strings.TrimSpace(reason)); err != nil {
		return nil, r, fmt.Errorf("withdraw %s: %w", r.ID, err)
	}
	moves, err := t.rejudge(ctx, []int64{r.Subject.ID}, r.ID+" withdrawn")
	if err != nil {
		return nil, r, err
	}
	return moves, r, t.reviewOverBlocks(ctx, []int64{r.Subject.ID})
}

func checkReason(reason string) error {
	var faults posture.Fields
	cleanText(&faults, "reason", &reason, longNote)
	if reason == "" {
		faults.Add("reason", "Write the reason. It is kept in the log and cannot be edited later.")
	}
	checkWords(&faults, "reason", reason)
	return faults.Err()
}

// preview gives what a decision moves on one statement or, where nothing
// moves, what holds the verdict where it is.
func (t *tx) preview(ctx context.Context, subject int64, statement string, moves []posture.Movement) (posture.Preview, error) {
	p := posture.Preview{Moves: moves}
	if len(moves) > 0 {
		return p, nil
	}
	f, err := t.factsOf(ctx, subject)
	if err != nil {
		return p, err
	}
	v := judgeAt(f, statement, t.now).Verdict
	p.Notes = append(p.Notes, "Nothing moves: "+posture.Holds(statement, &v)+".")
	return p, nil
}

const sqlInsertWithdrawal = `insert into evidence_withdrawal (evidence_id, recorded_at, recorded_by, reason) values ($1, $2, $3, $4)`
