package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// explain fills in what the run proved, what it did not, and which statements
// it is about that did not move.
func (m *importing) explain(ctx context.Context, receipt *posture.Receipt) error {
	if m.apart != "" {
		receipt.NotProved = append(receipt.NotProved, "Nothing reaches a cell: the run is unattributed, "+m.apart)
		return nil
	}
	if receipt.Unmapped > 0 {
		defer func() {
			receipt.NotProved = append(receipt.NotProved, unmappedWords(receipt.Unmapped))
		}()
	}
	if len(m.tallies) == 0 {
		return nil
	}
	var subjects []int64
	for i := range m.tallies {
		subjects = append(subjects, m.tallies[i].Subject.ID)
	}
	frames, err := m.frames(ctx, subjects)
	if err != nil {
		return err
	}
	tallies := make([]posture.Tally, len(m.tallies))
	for i := range m.tallies {
		m.tallies[i].Target = frames[m.tallies[i].Subject.ID].targetAt(m.now).Identity
		tallies[i] = m.tallies[i].Tally
	}
	receipt.Proved = posture.Proved(tallies)
	receipt.NotProved = posture.NotProved(tallies)
	receipt.Unmoved, err = m.unmoved(ctx, subjects, frames)
	return err
}

func unmappedWords(n int) string {
	if n == 1 {
		return "Nothing from 1 unmapped result: it names no statement"
	}
	return fmt.Sprintf("Nothing from %d unmapped results: they name no statement", n)
}

// unmoved says, of each statement that the run is about and did not move, why.
func (m *importing) unmoved(ctx context.Context, subjects []int64, frames map[int64]*subjectFacts) ([]string, error) {
	verdicts, err := m.currentVerdicts(ctx, subjects)
	if err != nil {
		return nil, err
	}
	done := map[verdictKey]bool{}
	for _, move := range m.moved {
		done[verdictKey{move.Subject.ID, move.Statement}] = true
	}
	var out []string
	for i := range m.tallies {
		key := verdictKey{m.tallies[i].Subject.ID, m.tallies[i].Statement}
		if done[key] {
			continue
		}
		done[key] = true
		var added []posture.Evidence
		for k := range m.tallies {
			if m.tallies[k].Subject.ID == key.subject && m.tallies[k].Statement == key.statement {
				added = append(added, m.tallies[k].evidence())
			}
		}
		f := frames[key.subject].at(key.statement, m.now)
		v := verdicts[key].Verdict
		name := key.statement
		if ref := frames[key.subject].Subject; ref.Kind == posture.Receiver {
			name += " at " + ref.Slug
		}
		out = append(out, name+": not moved, "+posture.WhyUnmoved(&f, &v, added, "the file", m.now))
	}
	return out, nil
}

// frames gives the facts of the subjects without their records: names, targets,
// criticality and windows.
func (t *tx) frames(ctx context.Context, subjects []int64) (map[int64]*subjectFacts, error) {
	facts := make(map[int64]*subjectFacts, len(subjects))
	batch := &pgx.Batch{}
	batch.Queue(sqlFactSubjects, subjects).Query(func(rows pgx.Rows) error { return scanSubjects(rows, facts) })
	batch.Queue(sqlFactCriticality, subjects).Query(func(rows pgx.Rows) error { return scanCriticality(rows, facts) })
	batch.Queue(sqlFactTargets, subjects).Query(func(rows pgx.Rows) error { return scanTargets(rows, facts) })
	batch.Queue(sqlFactPolicy).Query(func(rows pgx.Rows) error { return scanPolicy(rows, facts) })
	if err := t.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("read the targets of %d subjects: %w", len(subjects), err)
	}
	return facts, nil
}
