package store

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// RecordEvidence records one observation by hand, with the bytes of the thing
// seen if there are any, and gives what it moved. The kinds statement,
// documentation and attestation need RecordClaims, the others RecordEvidence
// (model.md §2.2).
func (s *Store) RecordEvidence(ctx context.Context, a posture.Access, r posture.Record, artefact *posture.Upload) (saved posture.Record, moves []posture.Movement, err error) {
	if err := a.Need(posture.ActionFor(r.Kind)); err != nil {
		return r, nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var row int64
		if row, moves, err = t.recordEvidence(ctx, r, artefact); err != nil {
			return err
		}
		saved, err = t.record(ctx, t.nowMoment(), row)
		return err
	})
	return saved, moves, err
}

// PreviewEvidence says what recording r would move, or why it would move
// nothing. Nothing is saved.
func (s *Store) PreviewEvidence(ctx context.Context, a posture.Access, r posture.Record) (p posture.Preview, err error) {
	if err := a.Need(posture.ActionFor(r.Kind)); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		row, moves, err := t.recordEvidence(ctx, r, nil)
		if err != nil {
			return err
		}
		p = posture.Preview{Moves: moves}
		if len(moves) == 0 {
			f, err := t.factsOf(ctx, r.Subject.ID)
			if err != nil {
				return err
			}
			judging := f.at(r.Statement, t.now)
			v := posture.Judge(&judging, t.now, t.now)
			added := slices.DeleteFunc(slices.Clone(judging.Evidence), func(e posture.Evidence) bool { return e.ID != evidenceID(row) })
			why := posture.WhyUnmoved(&judging, &v, added, "the record", t.now)
			p.Notes = append(p.Notes, "Nothing moves: "+why+".")
		}
		return errRollBack
	})
	return p, err
}

func (t *tx) recordEvidence(ctx context.Context, r posture.Record, artefact *posture.Upload) (row int64, moves []posture.Movement, err error) {
	holder, err := t.holder(ctx, r.Subject.ID)
	if err != nil {
		return 0, nil, err
	}
	subjects := []int64{r.Subject.ID}
	if err := t.lockSubjects(ctx, subjects); err != nil {
		return 0, nil, err
	}
	lib, err := loadShelf()
	if err != nil {
		return 0, nil, err
	}
	r = r.Settled()
	faults := append(posture.CheckRecord(&r, holder.Kind, t.now), posture.CheckUpload(artefact)...)
	if _, known := lib.Statement(r.Statement); !known && r.Statement != "" {
		faults.Add("statement", "There is no statement "+r.Statement+". Choose one of the library's, such as FS-1.")
	}
	sha, err := hex.DecodeString(r.Artefact)
	if err != nil || (len(sha) != 0 && len(sha) != 32) {
		faults.Add("artefact", "Give the SHA-256 of the thing seen as 64 hexadecimal digits, or leave it out.")
	}
	if err := faults.Err(); err != nil {
		return 0, nil, err
	}
	if artefact != nil {
		if sha, err = t.putArtefact(ctx, holder.Portfolio, artefact); err != nil {
			return 0, nil, err
		}
	}
	if row, err = t.insertEvidence(ctx, &r, sha); err != nil {
		return 0, nil, err
	}
	if moves, err = t.rejudge(ctx, subjects, evidenceID(row)); err != nil {
		return 0, nil, err
	}
	_, err = t.openDiscrepancies(ctx, []int64{row})
	return row, moves, err
}

func (t *tx) insertEvidence(ctx context.Context, r *posture.Record, sha []byte) (row int64, err error) {
	if len(sha) == 0 {
		sha = nil
	}
	args := pgx.NamedArgs{
		"subject": r.Subject.ID, "statement": r.Statement, "kind": r.Kind.String(), "polarity": r.Side().String(),
		"observed": r.ObservedAt, "now": t.now, "actor": t.access.Actor, "valid_until": nullTime(r.ValidUntil),
		"identity": r.Identity[:], "by_hand": r.ByHand, "pre_ga": r.PreGA, "run": r.Run, "case": r.Case,
		"expected": r.Expected.String(), "outcome": r.Outcome.String(), "control": r.ControlOK, "advisory": r.Advisory.String(),
		"role": r.SourceRole, "name": r.SourceName, "method": r.Method, "title": r.Title, "words": r.Words, "url": r.URL,
		"artefact": sha, "behaviour": r.ObservedBehaviour, "origin": r.RefusalOrigin, "path": r.Path, "direction": r.Direction,
		"tester": r.Tester, "claim": r.Claim,
	}
	if err := t.QueryRow(ctx, sqlInsertEvidence, args).Scan(&row); err != nil {
		return 0, fmt.Errorf("record evidence: %w", err)
	}
	return row, nil
}

// factsOf gives all facts of one subject in reach.
func (t *tx) factsOf(ctx context.Context, subject int64) (*subjectFacts, error) {
	facts, err := t.loadFacts(ctx, []int64{subject})
	if err != nil {
		return nil, err
	}
	f := facts[subject]
	if f == nil {
		return nil, posture.NotFoundError("runtime or component")
	}
	return f, nil
}

// holder is a subject with who answers for it and what a failure may cost.
type holder struct {
	posture.SubjectRef
	Portfolio int64
	Owner     string
	RiskOwner string
	Stakes    posture.Stakes
}

func (t *tx) holder(ctx context.Context, subject int64) (holder, error) {
	all, err := t.holders(ctx, []int64{subject})
	if err != nil {
		return holder{}, err
	}
	h, ok := all[subject]
	if !ok {
		return h, posture.NotFoundError("runtime or component")
	}
	return h, nil
}

func (t *tx) holders(ctx context.Context, subjects []int64) (map[int64]holder, error) {
	rows, err := t.Query(ctx, sqlHolders, subjects)
	if err != nil {
		return nil, fmt.Errorf("read who holds the subjects: %w", err)
	}
	all := make(map[int64]holder, len(subjects))
	var h holder
	var kind, criticality string
	_, err = pgx.ForEachRow(rows, []any{
		&h.ID, &kind, &h.Slug, &h.Name, &h.Portfolio, &h.Owner, &h.RiskOwner, &h.Stakes.DataClass, &criticality, &h.Stakes.ManyTenants,
	}, func() error {
		var err error
		if h.Kind, err = posture.ParseSubjectKind(kind); err != nil {
			return err
		}
		h.Stakes.Criticality, err = posture.ParseCriticality(criticality)
		all[h.ID] = h
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read who holds the subjects: %w", err)
	}
	return all, nil
}

// Evidence lists records, newest first: what was recorded by the page's
// instant of what was seen by then. next is the keyset of the following page,
// 0 at the end.
func (s *Store) Evidence(ctx context.Context, a posture.Access, o posture.AsOf, f posture.RecordFilter) (list []posture.Record, next int64, err error) {
	limit := pageLimit(f.Limit)
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		side := map[string]string{"against": posture.Contradicts.String(), "for": posture.Supports.String()}[f.Side]
		if side == "" && f.Side != "" {
			return posture.InvalidField("side", "Choose against or for.")
		}
		list, err = t.records(ctx, t.moment(o), sqlEvidence, pgx.NamedArgs{
			"subject": f.Subject, "runtime": f.Runtime, "statement": f.Statement, "kind": f.Kind, "side": side,
			"before": f.Before, "limit": limit + 1,
		})
		return err
	})
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].Row
	}
	return list, next, err
}

// EvidenceByID gives one record as it was known at the page's instant.
func (s *Store) EvidenceByID(ctx context.Context, a posture.Access, o posture.AsOf, row int64) (r posture.Record, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		r, err = t.record(ctx, t.moment(o), row)
		return err
	})
	return r, err
}

func (t *tx) record(ctx context.Context, m moment, row int64) (posture.Record, error) {
	list, err := t.records(ctx, m, sqlEvidenceRows, pgx.NamedArgs{"rows": []int64{row}})
	if err == nil && len(list) == 0 {
		err = posture.NotFoundError("evidence " + evidenceID(row))
	}
	if err != nil {
		return posture.Record{}, err
	}
	return list[0], nil
}

func (t *tx) records(ctx context.Context, m moment, text string, args pgx.NamedArgs) ([]posture.Record, error) {
	rows, err := t.query(ctx, m, text, args)
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	list, err := pgx.CollectRows(rows, scanRecord)
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return list, nil
}

// Rows asked for at most, and by default, of a list.
const (
	mostRows = 500
	someRows = 50
)

func pageLimit(asked int) int {
	if asked <= 0 {
		return someRows
	}
	return min(asked, mostRows)
}
