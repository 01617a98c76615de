package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Runtime gives a runtime as of an instant, with the target in force then.
func (s *Store) Runtime(ctx context.Context, a posture.Access, slug string, o posture.AsOf) (r posture.Runtime, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		r, err = t.runtimeAt(ctx, slug, t.moment(o))
		return err
	})
	return r, err
}

// RuntimeVersion gives one version of a runtime, for the merge page. Its
// target is the one in force now.
func (s *Store) RuntimeVersion(ctx context.Context, a posture.Access, slug string, version int) (r posture.Runtime, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		r, err = t.oneRuntime(ctx, t.nowMoment(), sqlRuntimeVersion, pgx.NamedArgs{"slug": slug, "version": version})
		return err
	})
	return r, err
}

// runtimeBySlug gives a runtime as it is now.
func (t *tx) runtimeBySlug(ctx context.Context, slug string) (posture.Runtime, error) {
	return t.runtimeAt(ctx, slug, t.nowMoment())
}

func (t *tx) runtimeAt(ctx context.Context, slug string, m moment) (posture.Runtime, error) {
	return t.oneRuntime(ctx, m, sqlRuntimeBySlug, pgx.NamedArgs{"slug": slug})
}

func (t *tx) oneRuntime(ctx context.Context, m moment, text string, args pgx.NamedArgs) (posture.Runtime, error) {
	rows, err := t.query(ctx, m, text, args)
	if err != nil {
		return posture.Runtime{}, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, scanRuntime)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, posture.NotFoundError("runtime")
	}
	return r, err
}

// scanRuntime reads runtimeColumns.
func scanRuntime(row pgx.CollectableRow) (posture.Runtime, error) {
	var f runtimeFields
	if err := row.Scan(f.into()...); err != nil {
		return posture.Runtime{}, err
	}
	return f.runtime()
}

// runtimeFields receive runtimeColumns.
type runtimeFields struct {
	r                         posture.Runtime
	intents                   map[string]intentBody
	stage, criticality        string
	target                    *int64
	targetAt                  *time.Time
	targetBy, targetBecauseOf *string
	facets                    []string
}

func (f *runtimeFields) into() []any {
	r := &f.r
	return []any{
		&r.ID, &r.Subject, &r.Slug, &r.Portfolio, &r.Version, &r.From, &r.By, &r.Name, &r.Purpose, &f.intents, &f.stage,
		&r.Owner, &r.RiskOwner, &r.DataClass, &f.criticality, &r.MultiTenant, &r.Profile, &r.Retired, &r.RetiredBecause,
		&f.target, &f.targetAt, &f.targetBy, &f.targetBecauseOf, &f.facets,
	}
}

func (f *runtimeFields) runtime() (posture.Runtime, error) {
	r := f.r
	r.From = r.From.UTC()
	var err error
	if r.Stage, err = posture.ParseStage(f.stage); err != nil {
		return r, err
	}
	if r.Criticality, err = posture.ParseCriticality(f.criticality); err != nil {
		return r, err
	}
	if r.Intents, err = intentsFrom(f.intents); err != nil {
		return r, err
	}
	r.Target = targetFrom(r.Subject, f.target, f.targetAt, f.targetBy, f.targetBecauseOf, f.facets)
	return r, nil
}

// intentBody is an intent as it is stored.
type intentBody struct {
	Purpose string `json:"purpose"`
	Text    string `json:"text,omitempty"`
}

func intentsBody(intents map[string]posture.Intent) map[string]intentBody {
	body := make(map[string]intentBody, len(intents))
	for dimension, intent := range intents {
		body[dimension] = intentBody{intent.Purpose.String(), intent.Text}
	}
	return body
}

func intentsFrom(body map[string]intentBody) (map[string]posture.Intent, error) {
	intents := make(map[string]posture.Intent, len(body))
	for dimension, b := range body {
		purpose, err := posture.ParsePurpose(b.Purpose)
		if err != nil {
			return nil, err
		}
		intents[dimension] = posture.Intent{Purpose: purpose, Text: b.Text}
	}
	return intents, nil
}

const (
	// runtimeColumns are read from runtime r, runtime_version v and, as g, the
	// target in force.
	runtimeColumns = `r.id, r.subject_id, r.slug, r.portfolio_id, v.version, v.recorded_from, actor_name(v.recorded_by),
		v.name, v.purpose, v.intents, v.stage, v.owner, v.risk_owner, v.data_class, v.criticality, v.multi_tenant, v.profile,
		v.retired, v.retired_because, g.id, g.recorded_at, actor_name(g.recorded_by), g.reason, g.identity`

	runtimeTarget = ` left join lateral (` + sqlTargetInForce + ` where g.subject_id = r.subject_id and known(g)
		order by g.recorded_at desc, g.id desc limit 1) g on true`

	sqlRuntimeBySlug = `
		select ` + runtimeColumns + `
		from runtime r join runtime_version v on v.runtime_id = r.id and in_force(v)` + runtimeTarget + `
		where r.slug = @slug`

	sqlRuntimeVersion = `
		select ` + runtimeColumns + `
		from runtime r join runtime_version v on v.runtime_id = r.id and v.version = @version` + runtimeTarget + `
		where r.slug = @slug`
)
