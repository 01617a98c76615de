package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// fillItems reads the records and decisions of the items, whole for people and
// as facts for the judge.
func (t *tx) fillItems(ctx context.Context, m moment, subjects []int64, statements []string, items []posture.CellItem) error {
	at := make(map[verdictKey]*posture.CellItem, len(items))
	for i := range items {
		at[verdictKey{items[i].Row.Subject.ID, items[i].Row.Statement}] = &items[i]
	}
	args := pgx.NamedArgs{"subjects": subjects, "statements": statements}
	records, err := t.records(ctx, m, sqlCellRecords, args)
	if err != nil {
		return err
	}
	for _, r := range records {
		if item := at[verdictKey{r.Subject.ID, r.Statement}]; item != nil {
			item.Records[r.ID] = r
			item.Facts.Evidence = append(item.Facts.Evidence, r.Evidence)
		}
	}
	rows, err := t.query(ctx, m, sqlCellDecisions, args)
	if err != nil {
		return fmt.Errorf("read decisions: %w", err)
	}
	decisions, err := pgx.CollectRows(rows, scanDecision)
	if err != nil {
		return fmt.Errorf("read decisions: %w", err)
	}
	for i := range decisions {
		d := &decisions[i]
		item := at[verdictKey{d.subject, d.statement}]
		if item == nil {
			continue
		}
		if err := d.into(item); err != nil {
			return fmt.Errorf("read decisions: %w", err)
		}
	}
	return t.fillTargets(ctx, m, subjects, items)
}

// fillTargets gives each item the targets that its subject had by the known
// instant, oldest first: a verdict of then was judged on the target of then.
func (t *tx) fillTargets(ctx context.Context, m moment, subjects []int64, items []posture.CellItem) error {
	rows, err := t.query(ctx, m, sqlCellTargets, pgx.NamedArgs{"subjects": subjects})
	if err != nil {
		return fmt.Errorf("read targets: %w", err)
	}
	had := map[int64][]posture.Target{}
	var target posture.Target
	var facets []string
	_, err = pgx.ForEachRow(rows, []any{&target.ID, &target.Subject, &target.RecordedAt, &target.RecordedBy, &target.Reason, &facets}, func() error {
		target.Identity, target.RecordedAt = identityFrom(facets), target.RecordedAt.UTC()
		had[target.Subject] = append(had[target.Subject], target)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read targets: %w", err)
	}
	for i := range items {
		items[i].Targets = had[items[i].Row.Subject.ID]
	}
	return nil
}

const sqlCellTargets = `
	select g.id, g.subject_id, g.recorded_at, actor_name(g.recorded_by), g.reason, ` + identityArray + `
	from target g where g.subject_id = any (@subjects) and known(g) order by g.subject_id, g.recorded_at, g.id`

// decision is a closure, an acceptance or a ruling as it is read: what the
// three have in common, and word, text and fix by kind.
type decision struct {
	kind            string
	row, subject    int64
	statement       string
	closes          int64
	word            string
	identity        posture.Identity
	at              time.Time
	expires, revoke time.Time
	evidence        []int64
	shortfall       bool
	by, name        string
	text, code, fix string
	review          time.Time
}

func scanDecision(row pgx.CollectableRow) (decision, error) {
	var d decision
	var identity map[string]string
	var expires, revoked, review *time.Time
	if err := row.Scan(&d.kind, &d.row, &d.subject, &d.statement, &d.closes, &d.word, &identity, &d.at, &expires, &revoked,
		&d.evidence, &d.shortfall, &d.by, &d.name, &d.text, &d.code, &d.fix, &review); err != nil {
		return d, err
	}
	d.at, d.expires, d.revoke, d.review = d.at.UTC(), instant(expires), instant(revoked), instant(review)
	var err error
	d.identity, err = posture.ParseIdentity(identity)
	return d, err
}

// into adds the decision to its item, whole and as a fact.
func (d *decision) into(item *posture.CellItem) error {
	subject := item.Row.Subject
	switch d.kind {
	case "closure":
		kind, err := posture.ParseClosureKind(d.word)
		if err != nil {
			return err
		}
		c := posture.ClosureRecord{
			Closure: posture.Closure{
				ID: closureID(d.row), Closes: evidenceID(d.closes), Kind: kind, Identity: d.identity, At: d.at, RevokedAt: d.revoke,
				Evidence: evidenceIDs(d.evidence),
			},
			Row: d.row, Subject: subject, By: d.by, ByName: d.name, Justification: d.code, Text: d.text, Fix: d.fix,
		}
		item.Closures, item.Facts.Closures = append(item.Closures, c), append(item.Facts.Closures, c.Closure)
	case "acceptance":
		severity, err := posture.ParseSeverity(d.word)
		if err != nil {
			return err
		}
		a := posture.AcceptanceRecord{
			Acceptance: posture.Acceptance{
				ID: acceptanceID(d.row), Statement: d.statement, Covers: evidenceIDs(d.evidence), Shortfall: d.shortfall,
				Identity: d.identity, At: d.at, ExpiresAt: d.expires, RevokedAt: d.revoke,
			},
			Row: d.row, Subject: subject, By: d.by, ByName: d.name, Condition: d.text, Severity: severity, ReviewAt: d.review,
		}
		item.Acceptances, item.Facts.Acceptances = append(item.Acceptances, a), append(item.Facts.Acceptances, a.Acceptance)
		if item.Row.Verdict.Acceptance == a.ID {
			item.Row.CarriedBy, item.Row.CarriedUntil = a.ByName, a.ExpiresAt
		}
	case "ruling":
		n := posture.RulingRecord{
			Ruling: posture.Ruling{ID: rulingID(d.row), Statement: d.statement, Identity: d.identity, At: d.at, ExpiresAt: d.expires},
			Row:    d.row, Subject: subject, By: d.by, ByName: d.name, Reason: d.text,
		}
		item.Rulings, item.Facts.Rulings = append(item.Rulings, n), append(item.Facts.Rulings, n.Ruling)
	}
	return nil
}

const (
	sqlCellRecords = `
		select ` + recordColumns + ` from ` + recordTables + `
		where e.subject_id = any (@subjects) and e.statement = any (@statements) and known(e) order by e.id`

	// A revoked ruling ends at its revocation.
	sqlCellDecisions = `
		select 'closure', d.id, d.subject_id, e.statement, d.evidence_id, d.kind, d.identity, d.recorded_at, null::timestamptz,
			r.recorded_at, d.verified_by, false, d.recorded_by, actor_name(d.recorded_by), d.reason, d.justification, d.fix,
			null::timestamptz
		from closure d join evidence e on e.id = d.evidence_id
		left join revocation r on r.closure_id = d.id and known(r)
		where d.subject_id = any (@subjects) and e.statement = any (@statements) and known(d)
		union all
		select 'acceptance', d.id, d.subject_id, d.statement, 0, d.severity, d.identity, d.recorded_at, d.expires_at,
			r.recorded_at, d.covers, d.shortfall, d.recorded_by, actor_name(d.recorded_by), d.condition, '', '', d.review_at
		from acceptance d left join revocation r on r.acceptance_id = d.id and known(r)
		where d.subject_id = any (@subjects) and d.statement = any (@statements) and known(d)
		union all
		select 'ruling', d.id, d.subject_id, d.statement, 0, '', d.identity, d.recorded_at,
			least(nullif(d.expires_at, 'infinity'), r.recorded_at),
			null, '{}', false, d.recorded_by, actor_name(d.recorded_by), d.reason, '', '', null
		from ruling d left join revocation r on r.ruling_id = d.id and known(r)
		where d.subject_id = any (@subjects) and d.statement = any (@statements) and known(d)
		order by 8, 2`
)
