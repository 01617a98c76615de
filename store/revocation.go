package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Revoke ends a closure, an acceptance or a ruling from now on, by its readable
// id (K-0012, A-0007, N-0003), and gives what moved: what it silenced comes
// back. It needs the role that may make one.
func (s *Store) Revoke(ctx context.Context, a posture.Access, id, reason string) (moves []posture.Movement, err error) {
	decision, ok := decisions[firstLetter(id)]
	if !ok {
		return nil, posture.NotFoundError("decision " + strings.ToValidUTF8(id, "?"))
	}
	if err := a.Need(decision.action); err != nil {
		return nil, err
	}
	row, err := parseID(id[0], id)
	if err != nil {
		return nil, err
	}
	if err := checkReason(reason); err != nil {
		return nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var subject int64
		err := t.QueryRow(ctx, "select subject_id from "+decision.table+" where id = $1", row).Scan(&subject)
		if errors.Is(err, pgx.ErrNoRows) {
			return posture.NotFoundError("decision " + id)
		}
		if err != nil {
			return fmt.Errorf("revoke %s: %w", id, err)
		}
		if err := t.lockSubjects(ctx, []int64{subject}); err != nil {
			return err
		}
		tag, err := t.Exec(ctx, "insert into revocation (subject_id, "+decision.table+"_id, recorded_at, recorded_by, reason) "+
			"values ($1, $2, $3, $4, $5) on conflict do nothing", subject, row, t.now, a.Actor, strings.TrimSpace(reason))
		if err != nil {
			return fmt.Errorf("revoke %s: %w", id, err)
		}
		if tag.RowsAffected() == 0 {
			return &posture.Error{Kind: posture.Conflicting, Text: id + " is revoked already. Nothing changed."}
		}
		moves, err = t.rejudge(ctx, []int64{subject}, id+" revoked")
		return err
	})
	return moves, err
}

// decisions are what can be revoked, by the letter of their ids: their table
// and the action that makes and revokes them.
var decisions = map[byte]struct {
	table  string
	action posture.Action
}{
	'K': {"closure", posture.CloseNegatives},
	'A': {"acceptance", posture.AcceptRisk},
	'N': {"ruling", posture.RuleOut},
}

func firstLetter(id string) byte {
	if id == "" {
		return 0
	}
	return id[0]
}
