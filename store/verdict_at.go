package store

import (
	"context"
	"fmt"

	"demarc/store/posture"
)

// verdictsAt gives the verdicts of the subjects as of an instant: the rows
// whose interval holds it, rejudged only where their time had passed by then,
// and all of them where the two clocks are asked apart (DESIGN.md §5).
func (t *tx) verdictsAt(ctx context.Context, subjects []int64, asOf posture.AsOf) (map[verdictKey]judged, error) {
	asOf = t.at(asOf)
	if !asOf.Known.IsZero() && !asOf.Known.Equal(asOf.At) {
		return t.judgedApart(ctx, subjects, asOf)
	}
	rows, err := t.Query(ctx, sqlVerdictsAt, subjects, asOf.At)
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	list, err := collectVerdicts(rows)
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	found := make(map[verdictKey]judged, len(list))
	var passed []int64
	for _, j := range list {
		found[verdictKey{j.Subject, j.Statement}] = j
		if !j.ChangesAt.IsZero() && !j.ChangesAt.After(asOf.At) {
			passed = append(passed, j.Subject)
		}
	}
	if len(passed) == 0 {
		return found, nil
	}
	facts, err := t.loadFacts(ctx, passed)
	if err != nil {
		return nil, err
	}
	for key, j := range found {
		f := facts[key.subject]
		if f != nil && !j.ChangesAt.IsZero() && !j.ChangesAt.After(asOf.At) {
			found[key] = judgeAt(f, key.statement, asOf.At)
		}
	}
	return found, nil
}

// judgedApart judges with what was known by one instant and what was true at
// another.
func (t *tx) judgedApart(ctx context.Context, subjects []int64, asOf posture.AsOf) (map[verdictKey]judged, error) {
	facts, err := t.loadFacts(ctx, subjects)
	if err != nil {
		return nil, err
	}
	found := map[verdictKey]judged{}
	for id, f := range facts {
		for _, statement := range f.statements() {
			judging := f.at(statement, asOf.Known)
			r, required := f.requirementAt(statement, asOf.Known)
			found[verdictKey{id, statement}] = judged{
				Verdict: posture.Judge(&judging, asOf.Known, asOf.At), Subject: id, Statement: statement,
				From: asOf.At, Required: required && r.Required(),
			}
		}
	}
	return found, nil
}

const sqlVerdictsAt = `select ` + verdictColumns + `
	from verdict where subject_id = any ($1) and recorded_from <= $2 and recorded_to > $2`
