package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// subjectFacts are all that the judge may need of one subject, over all time.
type subjectFacts struct {
	Subject      posture.SubjectRef
	criticality  []dated[posture.Criticality]
	targets      []posture.Target
	requirements map[string][]dated[posture.Requirement]
	evidence     map[string][]posture.Evidence
	closures     map[string][]posture.Closure
	acceptances  map[string][]posture.Acceptance
	rulings      map[string][]posture.Ruling
	windows      []dated[posture.Windows]
}

// dated is a value from an instant on, until the next of its list.
type dated[T any] struct {
	from  time.Time
	value T
}

// inForce gives the last value that began at or before k.
func inForce[T any](list []dated[T], k time.Time) (value T, ok bool) {
	for _, d := range slices.Backward(list) {
		if !d.from.After(k) {
			return d.value, true
		}
	}
	return value, false
}

// statements lists every statement that is required of the subject or has
// evidence on it, sorted.
func (f *subjectFacts) statements() []string {
	var all []string
	for s := range f.requirements {
		all = append(all, s)
	}
	for s := range f.evidence {
		if _, listed := f.requirements[s]; !listed {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return all
}

// targetAt gives the target in force at k; the zero target where none is.
func (f *subjectFacts) targetAt(k time.Time) posture.Target {
	for _, target := range slices.Backward(f.targets) {
		if !target.RecordedAt.After(k) {
			return target
		}
	}
	return posture.Target{Subject: f.Subject.ID}
}

// requirementAt gives the requirement in force at k, and whether there is one.
func (f *subjectFacts) requirementAt(statement string, k time.Time) (posture.Requirement, bool) {
	return inForce(f.requirements[statement], k)
}

// at gives the judge's facts for one statement with the target, requirement,
// criticality and policy in force at k.
func (f *subjectFacts) at(statement string, k time.Time) posture.Facts {
	facts := posture.Facts{
		Statement:   statement,
		Subject:     f.Subject.Kind,
		Target:      f.targetAt(k).Identity,
		Required:    posture.Tested,
		Evidence:    f.evidence[statement],
		Closures:    f.closures[statement],
		Acceptances: f.acceptances[statement],
		Rulings:     f.rulings[statement],
	}
	facts.Criticality, _ = inForce(f.criticality, k)
	if r, ok := f.requirementAt(statement, k); ok {
		facts.Required, facts.Paths = r.Rung, r.Paths
	}
	if w, ok := inForce(f.windows, k); ok {
		facts.Windows = &w
	}
	return facts
}

// loadFacts reads the facts of the subjects in a fixed number of statements.
// Subjects out of the reader's reach are absent from the answer.
func (t *tx) loadFacts(ctx context.Context, subjects []int64) (map[int64]*subjectFacts, error) {
	facts := make(map[int64]*subjectFacts, len(subjects))
	batch := &pgx.Batch{}
	batch.Queue(sqlFactSubjects, subjects).Query(func(rows pgx.Rows) error { return scanSubjects(rows, facts) })
	batch.Queue(sqlFactCriticality, subjects).Query(func(rows pgx.Rows) error { return scanCriticality(rows, facts) })
	batch.Queue(sqlFactTargets, subjects).Query(func(rows pgx.Rows) error { return scanTargets(rows, facts) })
	batch.Queue(sqlFactRequirements, subjects).Query(func(rows pgx.Rows) error { return scanRequirements(rows, facts) })
	batch.Queue(sqlFactEvidence, subjects).Query(func(rows pgx.Rows) error { return scanEvidence(rows, facts) })
	batch.Queue(sqlFactClosures, subjects).Query(func(rows pgx.Rows) error { return scanClosures(rows, facts) })
	batch.Queue(sqlFactAcceptances, subjects).Query(func(rows pgx.Rows) error { return scanAcceptances(rows, facts) })
	batch.Queue(sqlFactRulings, subjects).Query(func(rows pgx.Rows) error { return scanRulings(rows, facts) })
	batch.Queue(sqlFactPolicy).Query(func(rows pgx.Rows) error { return scanPolicy(rows, facts) })
	if err := t.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("load the facts of %d subjects: %w", len(subjects), err)
	}
	return facts, nil
}

func scanSubjects(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var ref posture.SubjectRef
	var kind string
	_, err := pgx.ForEachRow(rows, []any{&ref.ID, &kind, &ref.Slug, &ref.Name}, func() error {
		var err error
		ref.Kind, err = posture.ParseSubjectKind(kind)
		facts[ref.ID] = &subjectFacts{
			Subject:      ref,
			requirements: map[string][]dated[posture.Requirement]{},
			evidence:     map[string][]posture.Evidence{},
			closures:     map[string][]posture.Closure{},
			acceptances:  map[string][]posture.Acceptance{},
			rulings:      map[string][]posture.Ruling{},
		}
		return err
	})
	return err
}

func scanCriticality(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var subject int64
	var from time.Time
	var word string
	_, err := pgx.ForEachRow(rows, []any{&subject, &from, &word}, func() error {
		c, err := posture.ParseCriticality(word)
		if f := facts[subject]; f != nil {
			f.criticality = append(f.criticality, dated[posture.Criticality]{from.UTC(), c})
		}
		return err
	})
	return err
}

func scanTargets(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var target posture.Target
	var facets []string
	_, err := pgx.ForEachRow(rows, []any{&target.ID, &target.Subject, &target.RecordedAt, &target.RecordedBy, &target.Reason, &facets}, func() error {
		target.Identity, target.RecordedAt = identityFrom(facets), target.RecordedAt.UTC()
		if f := facts[target.Subject]; f != nil {
			f.targets = append(f.targets, target)
		}
		return nil
	})
	return err
}

func scanRequirements(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	for rows.Next() {
		var r posture.Requirement
		var wanted, rung string
		if err := rows.Scan(&r.Subject, &r.Statement, &r.Version, &r.From, &r.By, &wanted, &r.Reason, &r.Mechanism,
			&r.Configuration, &rung, &r.Owner, &r.Paths); err != nil {
			return err
		}
		var err error
		if r.Wanted, err = posture.ParseWanted(wanted); err != nil {
			return err
		}
		if r.Rung, err = posture.ParseRung(rung); err != nil {
			return err
		}
		r.From = r.From.UTC()
		if f := facts[r.Subject]; f != nil {
			f.requirements[r.Statement] = append(f.requirements[r.Statement], dated[posture.Requirement]{r.From, r})
		}
	}
	return rows.Err()
}

func scanPolicy(rows pgx.Rows, facts map[int64]*subjectFacts) error {
	var windows []dated[posture.Windows]
	var from *time.Time
	var body []byte
	_, err := pgx.ForEachRow(rows, []any{&from, &body}, func() error {
		w, err := windowsFrom(body)
		windows = append(windows, dated[posture.Windows]{instant(from), w})
		return err
	})
	for _, f := range facts {
		f.windows = windows
	}
	return err
}

// windowsFrom reads the windows of a policy row, in days.
func windowsFrom(body []byte) (posture.Windows, error) {
	var policy struct {
		Windows struct {
			Statement         float64 `json:"statement"`
			Documentation     float64 `json:"documentation"`
			DocumentationPre  float64 `json:"documentation_pre_ga"`
			Attestation       float64 `json:"attestation"`
			Configuration     float64 `json:"configuration"`
			ConfigurationHigh float64 `json:"configuration_high"`
			ConfigurationHand float64 `json:"configuration_by_hand"`
			Test              float64 `json:"test"`
			TestHigh          float64 `json:"test_high"`
		} `json:"windows"`
	}
	if err := json.Unmarshal(body, &policy); err != nil {
		return posture.Windows{}, fmt.Errorf("read the policy: %w", err)
	}
	days := func(d float64) time.Duration { return time.Duration(d * float64(posture.Day)) }
	p := policy.Windows
	return posture.Windows{
		Statement: days(p.Statement), Documentation: days(p.Documentation), DocumentationPre: days(p.DocumentationPre),
		Attestation: days(p.Attestation), Configuration: days(p.Configuration), ConfigurationHigh: days(p.ConfigurationHigh),
		ConfigurationHand: days(p.ConfigurationHand), Test: days(p.Test), TestHigh: days(p.TestHigh),
	}, nil
}

const (
	sqlFactSubjects = `
		select s.id, s.kind, coalesce(r.slug, c.slug), coalesce(rv.name, cv.name)
		from subject s
		left join runtime r on r.subject_id = s.id
		left join runtime_version rv on rv.runtime_id = r.id and rv.recorded_to = 'infinity'
		left join component c on c.subject_id = s.id
		left join component_version cv on cv.component_id = c.id and cv.recorded_to = 'infinity'
		where s.id = any ($1)`

	sqlFactCriticality = `
		select r.subject_id, v.recorded_from, v.criticality
		from runtime r join runtime_version v on v.runtime_id = r.id where r.subject_id = any ($1)
		union all
		select c.subject_id, v.recorded_from, v.criticality
		from component c join component_version v on v.component_id = c.id where c.subject_id = any ($1)
		order by 1, 2`

	sqlFactTargets = `
		select id, subject_id, recorded_at, recorded_by, reason, ` + identityArray + `
		from target where subject_id = any ($1) order by subject_id, recorded_at, id`

	sqlFactRequirements = `
		select subject_id, statement, version, recorded_from, recorded_by, wanted, reason, mechanism, configuration,
			rung::text, owner, paths
		from requirement_version where subject_id = any ($1) order by subject_id, statement, version`

	sqlFactPolicy = `select nullif(recorded_at, '-infinity'), body from policy order by version`
)
