package store

import (
	"context"
	"fmt"
	"strings"

	"demarc/store/posture"
)

// Accept carries a risk until a day (model.md §2.8): c.Subject.ID and
// c.Statement, the open negatives in c.Covers or c.Shortfall when none is
// open, c.Condition, c.Severity, c.ReviewAt and c.ExpiresAt. It is bound to the
// target in force. The severity recorded is no lower than that of the
// discrepancies covered. Nobody accepts the risk of what they own.
func (s *Store) Accept(ctx context.Context, a posture.Access, c posture.AcceptanceRecord) (saved posture.AcceptanceRecord, moves []posture.Movement, err error) {
	if err := a.Need(posture.AcceptRisk); err != nil {
		return c, nil, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		saved, moves, err = t.accept(ctx, c)
		return err
	})
	return saved, moves, err
}

// PreviewAcceptance says what the acceptance would move. Nothing is saved.
func (s *Store) PreviewAcceptance(ctx context.Context, a posture.Access, c posture.AcceptanceRecord) (p posture.Preview, err error) {
	if err := a.Need(posture.AcceptRisk); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		made, moves, err := t.accept(ctx, c)
		if err != nil {
			return err
		}
		if p, err = t.preview(ctx, c.Subject.ID, c.Statement, moves); err != nil {
			return err
		}
		if made.Severity > c.Severity {
			p.Notes = append(p.Notes, "It is recorded as "+made.Severity.Words()+": that is how the discrepancies it covers are rated.")
		}
		p.Notes = append(p.Notes, "It lapses at once when policy or configuration moves.")
		return errRollBack
	})
	return p, err
}

func (t *tx) accept(ctx context.Context, c posture.AcceptanceRecord) (posture.AcceptanceRecord, []posture.Movement, error) {
	holder, err := t.holder(ctx, c.Subject.ID)
	if err != nil {
		return c, nil, err
	}
	subjects := []int64{c.Subject.ID}
	if err := t.lockSubjects(ctx, subjects); err != nil {
		return c, nil, err
	}
	f, err := t.factsOf(ctx, c.Subject.ID)
	if err != nil {
		return c, nil, err
	}
	covers, err := evidenceRows(c.Covers)
	if err != nil {
		return c, nil, err
	}
	rated, err := t.ratedSeverity(ctx, covers)
	if err != nil {
		return c, nil, err
	}
	c.Subject, c.Identity, c.Severity = holder.SubjectRef, f.targetAt(t.now).Identity, max(c.Severity, rated)
	c.ReviewAt, c.ExpiresAt = c.ReviewAt.UTC().Truncate(posture.Tick), c.ExpiresAt.UTC().Truncate(posture.Tick)
	v := judgeAt(f, c.Statement, t.now).Verdict
	faults := append(posture.CheckAcceptance(&c, t.now), posture.CheckCovers(c.Covers, c.Shortfall, &v)...)
	f.checkStatement(&faults, c.Statement)
	if unknown := posture.UnknownFacets(&c.Identity, posture.CarryFacets()); len(unknown) > 0 {
		faults.Add("identity", "An acceptance is bound to the target, and its "+posture.FacetWords(unknown)+" is not known: record it first.")
	}
	if posture.SameName(t.access.Name, holder.Owner) {
		faults.Add("acceptor", "You own "+holder.Slug+": another risk owner accepts its risk.")
	}
	if err := faults.Err(); err != nil {
		return c, nil, err
	}
	if err := t.QueryRow(ctx, sqlInsertAcceptance, c.Subject.ID, c.Statement, covers, c.Shortfall, c.Identity.Map(), t.now,
		t.access.Actor, c.ExpiresAt, c.ReviewAt, c.Severity.String(), strings.TrimSpace(c.Condition)).Scan(&c.Row); err != nil {
		return c, nil, fmt.Errorf("accept: %w", err)
	}
	c.ID, c.At, c.By, c.ByName = acceptanceID(c.Row), t.now, t.access.Actor, t.access.Name
	moves, err := t.rejudge(ctx, subjects, c.ID)
	return c, moves, err
}

// ratedSeverity is the highest severity of the discrepancies that the records
// were sighted as.
func (t *tx) ratedSeverity(ctx context.Context, evidence []int64) (posture.Severity, error) {
	var words []string
	if err := t.QueryRow(ctx, sqlRatedSeverities, evidence).Scan(&words); err != nil {
		return 0, fmt.Errorf("read the severities covered: %w", err)
	}
	rated := posture.VeryLow
	for _, word := range words {
		s, err := posture.ParseSeverity(word)
		if err != nil {
			return 0, err
		}
		rated = max(rated, s)
	}
	return rated, nil
}

const (
	sqlInsertAcceptance = `
		insert into acceptance (subject_id, statement, covers, shortfall, identity, recorded_at, recorded_by, expires_at, review_at,
			severity, condition)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`

	sqlRatedSeverities = `
		select coalesce(array_agg(distinct v.severity), '{}')
		from sighting g join discrepancy_version v on v.discrepancy_id = g.discrepancy_id and v.recorded_to = 'infinity'
		where g.evidence_id = any ($1)`
)
