package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// RuntimePage gives a runtime with what its tabs show: the statements judged
// on its unit and on its linked receivers, and their roll-up.
func (s *Store) RuntimePage(ctx context.Context, a posture.Access, o posture.AsOf, slug string) (page posture.RuntimePage, err error) {
	lib, err := loadShelf()
	if err != nil {
		return page, err
	}
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		page = posture.RuntimePage{}
		var err error
		if page.Runtime, err = t.runtimeAt(ctx, slug, m); err != nil {
			return err
		}
		if page.Links, err = t.links(ctx, m, []int64{page.Runtime.ID}); err != nil {
			return fmt.Errorf("read links: %w", err)
		}
		if page.Previous, err = t.previousTarget(ctx, m, page.Runtime.Subject); err != nil {
			return err
		}
		sheet, err := t.sheet(ctx, lib, m, unitAndReceivers(&page.Runtime, page.Links), posture.DiscrepancyFilter{Runtime: slug})
		if err != nil {
			return err
		}
		page.Statements, page.Open, page.Evidence = sheet.rows, sheet.open, sheet.evidence
		page.Cells = cells(lib, &page.Runtime, sheet.judged)
		for i := range sheet.judged {
			countOnSide(lib, &page, &sheet.judged[i])
		}
		return nil
	})
	return page, err
}

func countOnSide(lib *shelf, page *posture.RuntimePage, j *judged) {
	execution, ok := lib.column(j.Statement)
	switch {
	case !ok || !j.Required:
	case execution:
		count(&page.Counts.Execution, j.Label, 1)
	default:
		count(&page.Counts.Receivers, j.Label, 1)
	}
}

// unitAndReceivers names the subjects that a runtime is judged by.
func unitAndReceivers(r *posture.Runtime, links []posture.Link) []posture.SubjectRef {
	refs := []posture.SubjectRef{{ID: r.Subject, Kind: posture.Unit, Slug: r.Slug, Name: r.Name}}
	for _, l := range links {
		refs = append(refs, l.Component)
	}
	return refs
}

// previousTarget gives the target before the one in force; the zero target
// where there is none.
func (t *tx) previousTarget(ctx context.Context, m moment, subject int64) (posture.Target, error) {
	list, err := t.targets(ctx, m, subject, 2)
	if err != nil || len(list) < 2 {
		return posture.Target{}, err
	}
	return list[1], nil
}

// sheet is what the pages of a runtime and of a component show of their
// statements.
type sheet struct {
	rows   []posture.StatementRow
	judged []judged
	// open counts open discrepancies and evidence records, both over all
	// subjects; the latter no further than countLimit.
	open, evidence int
}

// sheet reads every statement that is asked of the subjects or has a verdict,
// in the library's order and, within a statement, the subjects' order given.
// which narrows the discrepancies to those of the subjects.
func (t *tx) sheet(ctx context.Context, lib *shelf, m moment, refs []posture.SubjectRef, which posture.DiscrepancyFilter) (found sheet, err error) {
	if found.rows, found.judged, err = t.statementRows(ctx, lib, m, refs, nil); err != nil {
		return found, err
	}
	if err := t.carryRows(ctx, found.rows); err != nil {
		return found, err
	}
	open, err := t.openOn(ctx, m, which, found.rows)
	if err != nil {
		return found, err
	}
	found.open = len(open)
	err = t.queryRow(ctx, m, sqlCountEvidence, pgx.NamedArgs{"subjects": subjectIDs(refs), "most": countLimit}).Scan(&found.evidence)
	if err != nil {
		return found, fmt.Errorf("count evidence: %w", err)
	}
	return found, nil
}

func subjectIDs(refs []posture.SubjectRef) []int64 {
	ids := make([]int64, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	return ids
}

// statementRows reads requirements, verdicts and marks of the subjects; with a
// filter, of the statements it lets through only.
func (t *tx) statementRows(ctx context.Context, lib *shelf, m moment, refs []posture.SubjectRef, keep func(string) bool) ([]posture.StatementRow, []judged, error) {
	subjects := subjectIDs(refs)
	verdicts, err := t.verdicts(ctx, m, subjects)
	if err != nil {
		return nil, nil, err
	}
	asked, err := t.requirementsAt(ctx, m, subjects)
	if err != nil {
		return nil, nil, err
	}
	keys := statementKeys(verdicts, asked, keep)
	place := make(map[int64]int, len(refs))
	for i, ref := range refs {
		place[ref.ID] = i
	}
	slices.SortFunc(keys, func(a, b verdictKey) int {
		return cmp.Or(lib.compare(a.statement, b.statement), cmp.Compare(place[a.subject], place[b.subject]))
	})
	rows, list := make([]posture.StatementRow, len(keys)), make([]judged, len(keys))
	at := make(map[verdictKey]*posture.StatementRow, len(keys))
	for i, key := range keys {
		j, known := verdicts[key]
		if !known {
			j = judged{Verdict: nobody(), Subject: key.subject, Statement: key.statement}
		}
		r, has := asked[key]
		rows[i] = posture.StatementRow{Subject: refs[place[key.subject]], Statement: key.statement, Requirement: r, HasRequired: has, Verdict: j.Verdict}
		j.Required = has && r.Required()
		list[i], at[key] = j, &rows[i]
	}
	if err := t.markRows(ctx, m, keys, at); err != nil {
		return nil, nil, err
	}
	return rows, list, nil
}

func statementKeys(verdicts map[verdictKey]judged, asked map[verdictKey]posture.Requirement, keep func(string) bool) []verdictKey {
	keys := make([]verdictKey, 0, len(verdicts))
	for key := range verdicts {
		if keep == nil || keep(key.statement) {
			keys = append(keys, key)
		}
	}
	for key := range asked {
		if _, judged := verdicts[key]; !judged && (keep == nil || keep(key.statement)) {
			keys = append(keys, key)
		}
	}
	return keys
}

// markRows fills the three dates of each row.
func (t *tx) markRows(ctx context.Context, m moment, keys []verdictKey, rows map[verdictKey]*posture.StatementRow) error {
	marks, err := t.marks(ctx, m, keys)
	if err != nil {
		return err
	}
	for i := range marks {
		row := rows[marks[i].verdictKey]
		at := &row.Said
		switch marks[i].kind {
		case posture.KindConfiguration:
			at = &row.Configured
		case posture.KindTest:
			at = &row.Tested
		case posture.KindStatement, posture.KindDocumentation, posture.KindAttestation, posture.KindIncident:
		}
		if marks[i].record.ObservedAt.After(at.ObservedAt) {
			*at = marks[i].record
		}
	}
	return nil
}

// carryRows says of each accepted risk who carries it until when.
func (t *tx) carryRows(ctx context.Context, rows []posture.StatementRow) error {
	var ids []int64
	carried := map[string][]*posture.StatementRow{}
	for i := range rows {
		accepted := rows[i].Verdict.Acceptance
		if accepted == "" {
			continue
		}
		id, err := parseID('A', accepted)
		if err != nil {
			return err
		}
		ids = append(ids, id)
		carried[accepted] = append(carried[accepted], &rows[i])
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := t.Query(ctx, sqlCarried, ids)
	if err != nil {
		return fmt.Errorf("read acceptances: %w", err)
	}
	var id int64
	var by string
	var until time.Time
	_, err = pgx.ForEachRow(found, []any{&id, &by, &until}, func() error {
		for _, row := range carried[acceptanceID(id)] {
			row.CarriedBy, row.CarriedUntil = by, until.UTC()
		}
		return nil
	})
	return err
}

func (t *tx) requirementsAt(ctx context.Context, m moment, subjects []int64) (map[verdictKey]posture.Requirement, error) {
	rows, err := t.query(ctx, m, sqlRequirementsAt, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return nil, fmt.Errorf("read requirements: %w", err)
	}
	list, err := pgx.CollectRows(rows, scanRequirement)
	found := make(map[verdictKey]posture.Requirement, len(list))
	for _, r := range list {
		found[verdictKey{r.Subject, r.Statement}] = r
	}
	return found, err
}

// openRows bounds the open discrepancies that a page looks at.
const openRows = 1000

// openOn gives the open discrepancies of the rows' subjects, the first due
// first, and names the first of each statement in its row. Whether one is open
// is said by the rows' verdicts.
func (t *tx) openOn(ctx context.Context, m moment, which posture.DiscrepancyFilter, rows []posture.StatementRow) ([]discrepancyRow, error) {
	open := new(bool)
	*open = true
	if m.apart() {
		open = nil // no stored verdict answers for two clocks
	}
	found, err := t.query(ctx, m, sqlDiscrepancies, pgx.NamedArgs{
		"kind": posture.BoundaryFailed, "open": open, "subject": which.Subject, "runtime": which.Runtime, "owner": "",
		"before": int64(0), "limit": openRows, "id": int64(0),
	})
	if err != nil {
		return nil, fmt.Errorf("read open discrepancies: %w", err)
	}
	list, err := pgx.CollectRows(found, scanDiscrepancy)
	if err != nil {
		return nil, fmt.Errorf("read open discrepancies: %w", err)
	}
	at := make(map[verdictKey]*posture.StatementRow, len(rows))
	for i := range rows {
		at[verdictKey{rows[i].Subject.ID, rows[i].Statement}] = &rows[i]
	}
	list = slices.DeleteFunc(list, func(d discrepancyRow) bool {
		row := at[verdictKey{d.Subject.ID, d.Statement}]
		return row == nil || !d.openUnder(&row.Verdict)
	})
	slices.SortFunc(list, func(a, b discrepancyRow) int { return cmp.Or(a.DueAt.Compare(b.DueAt), cmp.Compare(a.ID, b.ID)) })
	for i := range list {
		if row := at[verdictKey{list[i].Subject.ID, list[i].Statement}]; row.Discrepancy == 0 {
			row.Discrepancy = list[i].ID
		}
	}
	return list, nil
}

// openUnder says whether the discrepancy is open under its statement's
// verdict: evidence of a sighting is an open negative, or it is a refusal of
// permitted access.
func (d *discrepancyRow) openUnder(v *posture.Verdict) bool {
	return d.State != "closed" && (d.overBlock || slices.ContainsFunc(d.evidence, func(row int64) bool {
		id := evidenceID(row)
		return slices.Contains(v.Hard, id) || slices.Contains(v.Soft, id)
	}))
}

const (
	sqlRequirementsAt = `
		select ` + requirementColumns + `
		from requirement_version q where q.subject_id = any (@subjects) and in_force(q)`

	sqlCarried = `select a.id, actor_name(a.recorded_by), a.expires_at from acceptance a where a.id = any ($1)`

	sqlCountEvidence = `
		select count(*) from (
			select from evidence e where e.subject_id = any (@subjects) and known(e) limit @most) counted`
)
