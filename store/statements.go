package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// passed says whether time alone has changed the verdict by t.
func (j *judged) passed(t time.Time) bool {
	return !j.ChangesAt.IsZero() && !j.ChangesAt.After(t)
}

// verdicts gives the verdicts of the subjects at a moment: the rows in force,
// rejudged only where their time had passed, and all of them where the two
// clocks are asked apart (DESIGN.md §5).
func (t *tx) verdicts(ctx context.Context, m moment, subjects []int64) (map[verdictKey]judged, error) {
	rows, err := t.query(ctx, m, sqlVerdicts, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	list, err := collectVerdicts(rows)
	if err != nil {
		return nil, fmt.Errorf("read verdicts: %w", err)
	}
	if err := t.rejudgePassed(ctx, m, list); err != nil {
		return nil, err
	}
	found := make(map[verdictKey]judged, len(list))
	for _, j := range list {
		found[verdictKey{j.Subject, j.Statement}] = j
	}
	return found, nil
}

// labels gives what lists need of the subjects' verdicts at a moment: label,
// rung, met and required.
func (t *tx) labels(ctx context.Context, m moment, subjects []int64) ([]judged, error) {
	rows, err := t.query(ctx, m, sqlLabels, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	list := make([]judged, 0, 16*len(subjects))
	var j judged
	var label, rung string
	var changes *time.Time
	_, err = pgx.ForEachRow(rows, []any{&j.Subject, &j.Statement, &label, &rung, &j.Met, &j.Required, &changes}, func() error {
		j.ChangesAt = instant(changes)
		var err error
		if j.Label, err = posture.ParseLabel(label); err != nil {
			return err
		}
		j.Rung, err = posture.ParseRung(rung)
		list = append(list, j)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read labels: %w", err)
	}
	return list, t.rejudgePassed(ctx, m, list)
}

// rejudgePassed judges anew, from the facts, what a stored row does not answer.
func (t *tx) rejudgePassed(ctx context.Context, m moment, list []judged) error {
	var again []int64
	for i := range list {
		if m.apart() || list[i].passed(m.at) {
			again = append(again, list[i].Subject)
		}
	}
	if len(again) == 0 {
		return nil
	}
	slices.Sort(again)
	facts, err := t.loadFacts(ctx, slices.Compact(again))
	if err != nil {
		return err
	}
	for i := range list {
		j := &list[i]
		f := facts[j.Subject]
		if f == nil || (!m.apart() && !j.passed(m.at)) {
			continue
		}
		judging := f.at(j.Statement, m.known)
		r, asked := f.requirementAt(j.Statement, m.known)
		j.Verdict, j.Required = posture.Judge(&judging, m.known, m.at), asked && r.Required()
	}
	return nil
}

// nobody is the verdict of a statement that no record speaks of.
func nobody() posture.Verdict {
	return posture.Verdict{Label: posture.LabelNotStated, State: posture.LabelNotStated}
}

// judgedFor is a verdict as the roll-up reads it.
func (j *judged) judgedFor() posture.Judged {
	return posture.Judged{
		Statement: j.Statement, Label: j.Label, Met: j.Met, Required: j.Required,
		Tested: j.Rung == posture.Tested && j.Label == posture.LabelTested,
	}
}

// cells rolls verdicts up, in the order of the library's dimensions.
func cells(lib *shelf, r *posture.Runtime, list []judged) []posture.Cell {
	dimensions := lib.Dimensions()
	byDimension := make([][]posture.Judged, len(dimensions))
	for i := range list {
		if d, ok := lib.dimension[list[i].Statement]; ok {
			byDimension[d] = append(byDimension[d], list[i].judgedFor())
		}
	}
	profile, _ := lib.Profile(r.Profile)
	row := make([]posture.Cell, len(dimensions))
	for i, d := range dimensions {
		row[i] = posture.RollUp(d.Code, r.Intents[d.Code].Purpose, profile.Covers(d.Code), byDimension[i])
	}
	return row
}

// count adds a required statement to honest counts; a ruled-out one is counted
// by its label alone.
func count(c *posture.StatementCounts, label posture.Label, n int) {
	c.ByLabel[label] += n
	if label != posture.LabelNotApplicable {
		c.Required += n
	}
}

// countColumns counts required statements in the two columns, never together.
func countColumns(lib *shelf, list []judged) (execution, receivers posture.ColumnCounts) {
	for i := range list {
		j := &list[i]
		first, ok := lib.column(j.Statement)
		if !ok || !j.Required || j.Label == posture.LabelNotApplicable {
			continue
		}
		column := &receivers
		if first {
			column = &execution
		}
		countColumn(column, j)
	}
	return execution, receivers
}

func countColumn(c *posture.ColumnCounts, j *judged) {
	if !c.Any || j.Label < c.Worst {
		c.Worst = j.Label
	}
	c.Any = true
	c.Required++
	switch j.Label.Reading() {
	case posture.Against:
		c.Against++
	case posture.NothingYet:
		c.Nothing++
	case posture.SupportedSoFar:
		c.Supported++
	case posture.NoReading:
	}
	if j.judgedFor().Tested {
		c.Tested++
	}
}

// mark is one of the three dates beside a statement.
type mark struct {
	verdictKey
	kind   posture.Kind
	record posture.RecordMark
}

// marks gives the newest visible record of each kind on each statement.
func (t *tx) marks(ctx context.Context, m moment, keys []verdictKey) ([]mark, error) {
	subjects, statements := make([]int64, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		subjects[i], statements[i] = k.subject, k.statement
	}
	rows, err := t.query(ctx, m, sqlMarks, pgx.NamedArgs{"subjects": subjects, "statements": statements})
	if err != nil {
		return nil, fmt.Errorf("read the newest records: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (mark, error) {
		var found mark
		var e posture.Evidence
		var id int64
		var run *int64
		var kind, polarity, expected, outcome, advisory string
		if err := row.Scan(&found.subject, &found.statement, &id, &e.ObservedAt, &kind, &polarity, &expected, &outcome, &advisory,
			&e.Run, &run); err != nil {
			return found, err
		}
		if err := parseEvidenceWords(&e, kind, polarity, expected, outcome, advisory); err != nil {
			return found, err
		}
		found.kind = e.Kind
		found.record = posture.RecordMark{ID: evidenceID(id), ObservedAt: e.ObservedAt.UTC(), Against: e.Negative(), Run: e.Run}
		if run != nil {
			found.record.Run = "run " + strconv.FormatInt(*run, 10)
		}
		return found, nil
	})
}

const (
	sqlVerdicts = `
		select ` + verdictColumns + `
		from verdict v where v.subject_id = any (@subjects) and in_force(v)`

	// What sqlLabels reads, the index of the verdicts in force includes.
	sqlLabels = `
		select v.subject_id, v.statement, v.label::text, v.rung::text, v.met, v.required, nullif(v.changes_at, 'infinity')
		from verdict v where v.subject_id = any (@subjects) and in_force(v)`

	// A test that ended in neither pass nor fail is no evidence, hence no mark.
	sqlMarks = `
		select s.subject_id, s.statement, e.id, e.observed_at, e.kind, e.polarity, e.expected, e.outcome, e.advisory, e.run, e.run_id
		from unnest(@subjects::bigint[], @statements::text[]) s (subject_id, statement)
		cross join unnest(array['statement', 'documentation', 'attestation', 'configuration', 'test']) k (kind)
		cross join lateral (
			select e.id, e.observed_at, e.kind, e.polarity, e.expected, e.outcome, e.advisory, e.run, e.run_id
			from evidence e
			where e.subject_id = s.subject_id and e.statement = s.statement and e.kind = k.kind
				and e.observed_at <= @at and known(e)
				and (e.kind <> 'test' or e.outcome in ('pass', 'fail'))
				and not exists (select from evidence_withdrawal w where w.evidence_id = e.id and known(w))
			order by e.observed_at desc, (e.outcome = 'fail') desc, e.id desc limit 1) e`
)
