package store

import (
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// scanRecord reads recordColumns.
func scanRecord(row pgx.CollectableRow) (posture.Record, error) {
	var r posture.Record
	var subjectKind, kind, polarity, expected, outcome, advisory string
	var facets []string
	var validUntil, withdrawn, superseded *time.Time
	var newer *int64
	if err := row.Scan(&r.Row, &r.Subject.ID, &subjectKind, &r.Subject.Slug, &r.Subject.Name, &r.Statement, &kind, &polarity,
		&r.ObservedAt, &r.RecordedAt, &r.RecordedBy, &validUntil, &facets, &r.ByHand, &r.PreGA, &r.Run, &r.Case, &expected,
		&outcome, &r.ControlOK, &advisory, &r.SourceRole, &r.SourceName, &r.Method, &r.Title, &r.Words, &r.URL, &r.Artefact,
		&r.ObservedBehaviour, &r.RefusalOrigin, &r.Path, &r.Direction, &r.Tester, &r.Claim, &r.ImportRun,
		&withdrawn, &r.WithdrawnBecause, &newer, &superseded); err != nil {
		return r, err
	}
	r.ID, r.Identity = evidenceID(r.Row), identityFrom(facets)
	r.ObservedAt, r.RecordedAt, r.ValidUntil = r.ObservedAt.UTC(), r.RecordedAt.UTC(), instant(validUntil)
	r.WithdrawnAt = instant(withdrawn)
	if newer != nil {
		r.SupersededBy = evidenceID(*newer)
		if at := instant(superseded); r.WithdrawnAt.IsZero() || at.Before(r.WithdrawnAt) {
			r.WithdrawnAt = at
		}
	}
	var err error
	if r.Subject.Kind, err = posture.ParseSubjectKind(subjectKind); err != nil {
		return r, err
	}
	return r, parseEvidenceWords(&r.Evidence, kind, polarity, expected, outcome, advisory)
}

const (
	// subjectNames joins the names that subject s has at the moment.
	subjectNames = `
		left join runtime sr on sr.subject_id = s.id
		left join runtime_version srv on srv.runtime_id = sr.id and in_force(srv)
		left join component sc on sc.subject_id = s.id
		left join component_version scv on scv.component_id = sc.id and in_force(scv)`

	// subjectsOfRuntime are the unit of a runtime and the receivers that its
	// sessions use at the moment.
	subjectsOfRuntime = `
		select ur.subject_id from runtime ur where ur.slug = @runtime
		union all
		select uc.subject_id from runtime ur join runtime_link ul on ul.runtime_id = ur.id and in_force(ul)
		join component uc on uc.id = ul.component_id where ur.slug = @runtime`

	// recordColumns are read from evidence e with recordTables. A newer capture
	// supersedes from its recorded instant (model.md §2.7).
	recordColumns = `e.id, e.subject_id, s.kind, coalesce(sr.slug, sc.slug), coalesce(srv.name, scv.name), e.statement, e.kind,
		e.polarity, e.observed_at, e.recorded_at, actor_name(e.recorded_by), e.valid_until,
		array[e.vendor, e.product, e.variant, e.version, e.image, e.policy, e.config, e.region, e.tools, e.model, e.environment],
		e.by_hand, e.pre_ga, e.run, e.case_id, e.expected, e.outcome, e.control_ok, e.advisory, e.source_role, e.source_name,
		e.method, e.title, e.words, e.url, coalesce(encode(e.artefact, 'hex'), ''), e.observed_behaviour, e.refusal_origin, e.path,
		e.direction, e.tester, e.claim, coalesce(e.run_id, 0), w.recorded_at, coalesce(w.reason, ''), newer.id, newer.recorded_at`

	recordTables = `evidence e join subject s on s.id = e.subject_id` + subjectNames + `
		left join evidence_withdrawal w on w.evidence_id = e.id and known(w)
		left join lateral (
			select n.id, n.recorded_at from evidence n
			where e.url <> '' and e.kind in ('statement', 'documentation', 'attestation') and n.subject_id = e.subject_id
				and n.statement = e.statement and n.url = e.url and n.kind = e.kind and n.claim = e.claim
				and n.observed_at > e.observed_at and known(n)
			order by n.recorded_at, n.id limit 1) newer on true`

	sqlEvidence = `
		select ` + recordColumns + ` from ` + recordTables + `
		where known(e) and e.observed_at <= @at and (@before::bigint = 0 or e.id < @before)
			and (@subject::bigint = 0 or e.subject_id = @subject)
			and (@runtime::text = '' or e.subject_id in (` + subjectsOfRuntime + `))
			and (@statement::text = '' or e.statement = @statement)
			and (@kind::text = '' or e.kind = @kind) and (@side::text = '' or e.polarity = @side)
		order by e.id desc limit @limit`

	sqlEvidenceRows = `
		select ` + recordColumns + ` from ` + recordTables + `
		where e.id = any (@rows) and known(e) order by e.id`

	sqlInsertEvidence = `
		insert into evidence (subject_id, statement, kind, polarity, observed_at, recorded_at, recorded_by, valid_until,
			vendor, product, variant, version, image, policy, config, region, tools, model, environment,
			by_hand, pre_ga, run, case_id, expected, outcome, control_ok, advisory, source_role, source_name, method, title, words,
			url, artefact, observed_behaviour, refusal_origin, path, direction, tester, claim)
		select @subject, @statement, @kind, @polarity, @observed, @now, @actor, @valid_until,
			i[1], i[2], i[3], i[4], i[5], i[6], i[7], i[8], i[9], i[10], i[11],
			@by_hand, @pre_ga, @run, @case, @expected, @outcome, @control, @advisory, @role, @name, @method, @title, @words,
			@url, @artefact, @behaviour, @origin, @path, @direction, @tester, @claim
		from (select @identity::text[] i) given
		returning id`

	sqlHolders = `
		select s.id, s.kind, coalesce(r.slug, c.slug), coalesce(rv.name, cv.name), s.portfolio_id, coalesce(rv.owner, cv.owner),
			coalesce(rv.risk_owner, cv.risk_owner), coalesce(rv.data_class, cv.data_class), coalesce(rv.criticality, cv.criticality),
			coalesce(rv.multi_tenant, cv.shared)
		from subject s
		left join runtime r on r.subject_id = s.id
		left join runtime_version rv on rv.runtime_id = r.id and rv.recorded_to = 'infinity'
		left join component c on c.subject_id = s.id
		left join component_version cv on cv.component_id = c.id and cv.recorded_to = 'infinity'
		where s.id = any ($1)`
)
