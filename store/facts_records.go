package store

import (
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

func scanEvidence(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	for rows.Next() {
		var row, subject int64
		var e posture.Evidence
		var facets []string
		var kind, polarity, expected, outcome, advisory string
		var validUntil, withdrawn *time.Time
		if err := rows.Scan(&row, &subject, &e.Statement, &kind, &polarity, &e.ObservedAt, &e.RecordedAt, &validUntil, &withdrawn,
			&facets, &e.ByHand, &e.PreGA, &e.Run, &e.Case, &expected, &outcome, &e.ControlOK, &advisory); err != nil {
			return err
		}
		e.ID, e.Identity = evidenceID(row), identityFrom(facets)
		e.ObservedAt, e.RecordedAt = e.ObservedAt.UTC(), e.RecordedAt.UTC()
		e.ValidUntil, e.WithdrawnAt = instant(validUntil), instant(withdrawn)
		if err := parseEvidenceWords(&e, kind, polarity, expected, outcome, advisory); err != nil {
			return err
		}
		if f := facts[subject]; f != nil {
			f.evidence[e.Statement] = append(f.evidence[e.Statement], e)
		}
	}
	return rows.Err()
}

// parseEvidenceWords fills the enumerated fields of a record from their stored
// names.
func parseEvidenceWords(e *posture.Evidence, kind, polarity, expected, outcome, advisory string) error {
	var err error
	if e.Kind, err = posture.ParseKind(kind); err != nil {
		return err
	}
	if e.Polarity, err = posture.ParsePolarity(polarity); err != nil {
		return err
	}
	if e.Expected, err = posture.ParseExpected(expected); err != nil {
		return err
	}
	if e.Outcome, err = posture.ParseOutcome(outcome); err != nil {
		return err
	}
	e.Advisory, err = posture.ParseAdvisory(advisory)
	return err
}

func scanClosures(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var row, subject, closes int64
	var statement, kind string
	var identity map[string]string
	var at time.Time
	var revoked *time.Time
	var verified []int64
	_, err := pgx.ForEachRow(rows, []any{&row, &subject, &statement, &closes, &kind, &identity, &at, &revoked, &verified}, func() error {
		c := posture.Closure{
			ID: closureID(row), Closes: evidenceID(closes), At: at.UTC(), RevokedAt: instant(revoked),
			Evidence: evidenceIDs(verified),
		}
		var err error
		if c.Kind, err = posture.ParseClosureKind(kind); err != nil {
			return err
		}
		if c.Identity, err = posture.ParseIdentity(identity); err != nil {
			return err
		}
		identity = nil
		if f := facts[subject]; f != nil {
			f.closures[statement] = append(f.closures[statement], c)
		}
		return nil
	})
	return err
}

func scanAcceptances(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var row, subject int64
	var a posture.Acceptance
	var covers []int64
	var identity map[string]string
	var revoked *time.Time
	_, err := pgx.ForEachRow(rows, []any{&row, &subject, &a.Statement, &covers, &a.Shortfall, &identity, &a.At, &a.ExpiresAt, &revoked}, func() error {
		a.ID, a.Covers = acceptanceID(row), evidenceIDs(covers)
		a.At, a.ExpiresAt, a.RevokedAt = a.At.UTC(), a.ExpiresAt.UTC(), instant(revoked)
		var err error
		a.Identity, err = posture.ParseIdentity(identity)
		identity = nil
		if f := facts[subject]; f != nil {
			f.acceptances[a.Statement] = append(f.acceptances[a.Statement], a)
		}
		return err
	})
	return err
}

// scanRulings reads rulings; a revoked one ends at its revocation.
func scanRulings(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var row, subject int64
	var n posture.Ruling
	var identity map[string]string
	var expires *time.Time
	_, err := pgx.ForEachRow(rows, []any{&row, &subject, &n.Statement, &identity, &n.At, &expires}, func() error {
		n.ID, n.At, n.ExpiresAt = rulingID(row), n.At.UTC(), instant(expires)
		var err error
		n.Identity, err = posture.ParseIdentity(identity)
		identity = nil
		if f := facts[subject]; f != nil {
			f.rulings[n.Statement] = append(f.rulings[n.Statement], n)
		}
		return err
	})
	return err
}

const (
	// A newer capture of the same address supersedes the older one from the
	// newer row's recorded instant (model.md §2.7). Two sentences of one
	// capture do not supersede each other, nor do two claims of one page.
	sqlFactEvidence = `
		select id, subject_id, statement, kind, polarity, observed_at, recorded_at, valid_until,
			least(w, s) withdrawn, identity, by_hand, pre_ga, run, case_id, expected, outcome, control_ok, advisory
		from (
			select e.id, e.subject_id, e.statement, e.kind, e.polarity, e.observed_at, e.recorded_at, e.valid_until,
				w.recorded_at w,
				case when e.url <> '' and e.kind in ('statement', 'documentation', 'attestation') then
					min(e.recorded_at) over (partition by e.subject_id, e.statement, e.kind, e.url, e.claim
						order by e.observed_at groups between 1 following and unbounded following) end s,
				` + identityArray + ` identity,
				e.by_hand, e.pre_ga, e.run, e.case_id, e.expected, e.outcome, e.control_ok, e.advisory
			from evidence e left join evidence_withdrawal w on w.evidence_id = e.id
			where e.subject_id = any ($1)) x
		order by subject_id, statement, id`

	sqlFactClosures = `
		select c.id, c.subject_id, e.statement, c.evidence_id, c.kind, c.identity, c.recorded_at, r.recorded_at, c.verified_by
		from closure c join evidence e on e.id = c.evidence_id
		left join revocation r on r.closure_id = c.id
		where c.subject_id = any ($1) order by c.id`

	sqlFactAcceptances = `
		select a.id, a.subject_id, a.statement, a.covers, a.shortfall, a.identity, a.recorded_at, a.expires_at, r.recorded_at
		from acceptance a left join revocation r on r.acceptance_id = a.id
		where a.subject_id = any ($1) order by a.id`

	sqlFactRulings = `
		select n.id, n.subject_id, n.statement, n.identity, n.recorded_at, least(nullif(n.expires_at, 'infinity'), r.recorded_at)
		from ruling n left join revocation r on r.ruling_id = n.id
		where n.subject_id = any ($1) order by n.id`
)
