package store

import (
	"context"

	"demarc/store/posture"
)

// CreateRuntime describes a runtime: its first target is r.Target.Identity, and
// the statements of r.Profile that are judged on the unit become requirements
// of it with the profile's rung and the runtime's owner (DESIGN.md §13).
func (s *Store) CreateRuntime(ctx context.Context, a posture.Access, r posture.Runtime) (made posture.Runtime, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return r, err
	}
	lib, err := loadShelf()
	if err != nil {
		return r, err
	}
	if err := checkRuntime(&r, lib); err != nil {
		return r, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		if err := t.insertRuntime(ctx, &r); err != nil {
			return err
		}
		inherited, err := unitRequirements(lib, &r)
		if err != nil {
			return err
		}
		if err := t.saveRequirements(ctx, inherited); err != nil {
			return err
		}
		if _, err := t.rejudge(ctx, []int64{r.Subject}, "described"); err != nil {
			return err
		}
		made, err = t.runtimeBySlug(ctx, r.Slug)
		return err
	})
	return made, err
}

// insertRuntime writes the subject, the noun, its first version and its first
// target.
func (t *tx) insertRuntime(ctx context.Context, r *posture.Runtime) error {
	var err error
	if r.Subject, r.Portfolio, err = t.insertSubject(ctx, posture.Unit, r.Portfolio); err != nil {
		return err
	}
	if err := t.QueryRow(ctx, sqlInsertRuntime, r.Subject, r.Portfolio, r.Slug, t.now).Scan(&r.ID); err != nil {
		return err
	}
	if err := t.saveRuntime(ctx, r, 0); err != nil {
		return err
	}
	r.Target.Subject = r.Subject
	return t.firstTarget(ctx, &r.Target)
}

func (t *tx) saveRuntime(ctx context.Context, r *posture.Runtime, from int) error {
	return t.save(ctx, noun{sqlRuntimeCurrent, sqlCloseRuntime, sqlInsertRuntimeVersion}, []edit{{
		What: "This runtime", From: from, Row: map[string]any{
			"runtime_id": r.ID, "name": r.Name, "purpose": r.Purpose, "intents": intentsBody(r.Intents),
			"stage": r.Stage.String(), "owner": r.Owner, "risk_owner": r.RiskOwner, "data_class": r.DataClass,
			"criticality": r.Criticality.String(), "multi_tenant": r.MultiTenant, "profile": r.Profile,
			"retired": r.Retired, "retired_because": r.RetiredBecause,
		},
	}})
}

// ChangeRuntime saves a new version; r.Version is the version the editor
// started from, else the error is Conflicting. A requirement of the unit that
// said what the runtime says of its dimension goes on doing so; another
// profile adds what it asks and nobody has asked yet. The slug and the
// portfolio stay, and r.Target is not looked at.
func (s *Store) ChangeRuntime(ctx context.Context, a posture.Access, r posture.Runtime) (saved posture.Runtime, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return r, err
	}
	lib, err := loadShelf()
	if err != nil {
		return r, err
	}
	if err := checkRuntime(&r, lib); err != nil {
		return r, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		before, err := t.lockRuntime(ctx, r.Slug)
		if err != nil {
			return err
		}
		r.ID, r.Subject, r.Portfolio = before.ID, before.Subject, before.Portfolio
		if err := t.saveRuntime(ctx, &r, r.Version); err != nil {
			return err
		}
		if err := t.followRuntime(ctx, lib, &before, &r); err != nil {
			return err
		}
		if _, err := t.rejudge(ctx, []int64{r.Subject}, "description changed"); err != nil {
			return err
		}
		saved, err = t.runtimeBySlug(ctx, r.Slug)
		return err
	})
	return saved, err
}

// RetireRuntime takes a runtime out of the lists; its history stays. version
// is the version the reader saw.
func (s *Store) RetireRuntime(ctx context.Context, a posture.Access, slug string, version int, because string) error {
	if err := a.Need(posture.EditInventory); err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		r, err := t.lockRuntime(ctx, slug)
		if err != nil {
			return err
		}
		var faults posture.Fields
		cleanText(&faults, "because", &because, 1000)
		if because == "" {
			faults.Add("because", "Say why it is retired: what replaced it, or when it was switched off.")
		}
		if r.Retired {
			faults.Add("slug", "This runtime is retired already.")
		}
		if err := faults.Err(); err != nil {
			return err
		}
		r.Retired, r.RetiredBecause = true, because
		return t.saveRuntime(ctx, &r, version)
	})
}

// lockRuntime locks the unit for writing and gives the version in force.
func (t *tx) lockRuntime(ctx context.Context, slug string) (posture.Runtime, error) {
	r, err := t.runtimeBySlug(ctx, slug)
	if err != nil {
		return r, err
	}
	if err := t.lockSubjects(ctx, []int64{r.Subject}); err != nil {
		return r, err
	}
	return t.runtimeBySlug(ctx, slug)
}

const (
	sqlInsertRuntime = `
		insert into runtime (subject_id, portfolio_id, slug, recorded_at) values ($1, $2, $3, $4) returning id`

	sqlRuntimeCurrent = `
		select i.n, v.version, v.recorded_from
		from jsonb_to_recordset($1::jsonb) i (n integer, runtime_id bigint)
		join runtime_version v on v.runtime_id = i.runtime_id and v.recorded_to = 'infinity'`

	sqlCloseRuntime = `
		update runtime_version v set recorded_to = $2
		from jsonb_to_recordset($1::jsonb) i (runtime_id bigint, version integer)
		where v.runtime_id = i.runtime_id and v.version = i.version and v.recorded_to = 'infinity'`

	sqlInsertRuntimeVersion = `
		insert into runtime_version (runtime_id, version, recorded_from, recorded_by, name, purpose, intents, stage, owner,
			risk_owner, data_class, criticality, multi_tenant, profile, retired, retired_because)
		select runtime_id, version + 1, $2, $3, name, purpose, intents, stage, owner,
			risk_owner, data_class, criticality, multi_tenant, profile, retired, retired_because
		from jsonb_to_recordset($1::jsonb) i (runtime_id bigint, version integer, name text, purpose text, intents jsonb,
			stage text, owner text, risk_owner text, data_class text, criticality text, multi_tenant boolean, profile text,
			retired boolean, retired_because text)`
)
