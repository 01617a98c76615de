package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// CreateComponent describes a component: its first target is
// c.Target.Identity. What is asked of it comes with its first link.
func (s *Store) CreateComponent(ctx context.Context, a posture.Access, c posture.Component) (made posture.Component, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return c, err
	}
	if err := checkComponent(&c); err != nil {
		return c, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var err error
		if c.Subject, c.Portfolio, err = t.insertSubject(ctx, posture.Receiver, c.Portfolio); err != nil {
			return err
		}
		if err := t.QueryRow(ctx, sqlInsertComponent, c.Subject, c.Portfolio, c.Slug, t.now).Scan(&c.ID); err != nil {
			return err
		}
		if err := t.saveComponent(ctx, &c, 0, ""); err != nil {
			return err
		}
		c.Target.Subject = c.Subject
		if err := t.firstTarget(ctx, &c.Target); err != nil {
			return err
		}
		made, err = t.componentBySlug(ctx, c.Slug)
		return err
	})
	return made, err
}

func (t *tx) saveComponent(ctx context.Context, c *posture.Component, from int, because string) error {
	return t.save(ctx, noun{sqlComponentCurrent, sqlCloseComponent, sqlInsertComponentVersion}, []edit{{
		What: "This component", From: from, Row: map[string]any{
			"component_id": c.ID, "kind": c.Kind, "name": c.Name, "purpose": c.Purpose, "owner": c.Owner,
			"risk_owner": c.RiskOwner, "data_class": c.DataClass, "criticality": c.Criticality.String(),
			"shared": c.Shared, "retired": c.Retired, "retired_because": because,
		},
	}})
}

// ChangeComponent saves a new version; c.Version is the version the editor
// started from, else the error is Conflicting. The slug and the portfolio
// stay, and c.Target is not looked at.
func (s *Store) ChangeComponent(ctx context.Context, a posture.Access, c posture.Component) (saved posture.Component, err error) {
	if err := a.Need(posture.EditInventory); err != nil {
		return c, err
	}
	if err := checkComponent(&c); err != nil {
		return c, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		before, err := t.lockComponent(ctx, c.Slug)
		if err != nil {
			return err
		}
		if c.Retired && !before.Retired {
			return posture.InvalidField("retired", "Retire it by its own form: it asks why.")
		}
		c.ID, c.Subject, c.Portfolio = before.ID, before.Subject, before.Portfolio
		if err := t.saveComponent(ctx, &c, c.Version, ""); err != nil {
			return err
		}
		if _, err := t.rejudge(ctx, []int64{c.Subject}, "description changed"); err != nil {
			return err
		}
		saved, err = t.componentBySlug(ctx, c.Slug)
		return err
	})
	return saved, err
}

// RetireComponent takes a component that no runtime uses out of the lists; its
// history stays. version is the version the reader saw.
func (s *Store) RetireComponent(ctx context.Context, a posture.Access, slug string, version int, because string) error {
	if err := a.Need(posture.EditInventory); err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		c, err := t.lockComponent(ctx, slug)
		if err != nil {
			return err
		}
		var faults posture.Fields
		cleanText(&faults, "because", &because, longNote)
		if because == "" {
			faults.Add("because", "Say why it is retired: what replaced it, or when it was switched off.")
		}
		if c.Retired {
			faults.Add("slug", "This component is retired already.")
		}
		users, err := t.users(ctx, t.nowMoment(), c.ID)
		if err != nil {
			return err
		}
		if len(users) > 0 {
			faults.Add("slug", stillUsed(users))
		}
		if err := faults.Err(); err != nil {
			return err
		}
		c.Retired = true
		return t.saveComponent(ctx, &c, version, because)
	})
}

// stillUsed names up to three runtimes that use a component.
func stillUsed(users []posture.Link) string {
	names := make([]string, 0, 3)
	for _, l := range users[:min(3, len(users))] {
		names = append(names, l.Runtime.Slug)
	}
	more := ""
	if n := len(users) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return "Sessions of " + strings.Join(names, ", ") + more + " use it. Unlink it there first."
}

// Component gives a component as of an instant, with the target in force then.
func (s *Store) Component(ctx context.Context, a posture.Access, slug string, o posture.AsOf) (c posture.Component, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		c, err = t.componentAt(ctx, slug, t.moment(o))
		return err
	})
	return c, err
}

// ComponentVersion gives one version of a component, for the merge page. Its
// target is the one in force now.
func (s *Store) ComponentVersion(ctx context.Context, a posture.Access, slug string, version int) (c posture.Component, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		c, err = t.oneComponent(ctx, t.nowMoment(), sqlComponentVersion, pgx.NamedArgs{"slug": slug, "version": version})
		return err
	})
	return c, err
}

// componentBySlug gives a component as it is now.
func (t *tx) componentBySlug(ctx context.Context, slug string) (posture.Component, error) {
	return t.componentAt(ctx, slug, t.nowMoment())
}

func (t *tx) componentAt(ctx context.Context, slug string, m moment) (posture.Component, error) {
	return t.oneComponent(ctx, m, sqlComponentBySlug, pgx.NamedArgs{"slug": slug})
}

func (t *tx) oneComponent(ctx context.Context, m moment, text string, args pgx.NamedArgs) (posture.Component, error) {
	rows, err := t.query(ctx, m, text, args)
	if err != nil {
		return posture.Component{}, err
	}
	c, err := pgx.CollectExactlyOneRow(rows, scanComponent)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, posture.NotFoundError("component")
	}
	return c, err
}

func (t *tx) lockComponent(ctx context.Context, slug string) (posture.Component, error) {
	c, err := t.componentBySlug(ctx, slug)
	if err != nil {
		return c, err
	}
	if err := t.lockSubjects(ctx, []int64{c.Subject}); err != nil {
		return c, err
	}
	return t.componentBySlug(ctx, slug)
}

// checkComponent cleans what was written and gives all that is wrong with it.
func checkComponent(c *posture.Component) error {
	var faults posture.Fields
	checkSlug(&faults, c.Slug)
	if !slices.Contains(posture.ComponentKinds(), c.Kind) {
		faults.Add("kind", "Choose one of "+strings.Join(posture.ComponentKinds(), ", ")+".")
	}
	cleanName(&faults, "name", &c.Name, c.Slug)
	cleanText(&faults, "purpose", &c.Purpose, longText)
	checkWords(&faults, "purpose", c.Purpose)
	cleanText(&faults, "owner", &c.Owner, longName)
	cleanText(&faults, "risk_owner", &c.RiskOwner, longName)
	checkDataClass(&faults, c.DataClass)
	cleanIdentity(&faults, &c.Target)
	return faults.Err()
}

// componentFields receive componentColumns.
type componentFields struct {
	c                         posture.Component
	criticality               string
	target                    *int64
	targetAt                  *time.Time
	targetBy, targetBecauseOf *string
	facets                    []string
}

func (f *componentFields) into() []any {
	c := &f.c
	return []any{
		&c.ID, &c.Subject, &c.Slug, &c.Portfolio, &c.Version, &c.From, &c.By, &c.Kind, &c.Name, &c.Purpose, &c.Owner,
		&c.RiskOwner, &c.DataClass, &f.criticality, &c.Shared, &c.Retired,
		&f.target, &f.targetAt, &f.targetBy, &f.targetBecauseOf, &f.facets,
	}
}

func (f *componentFields) component() (posture.Component, error) {
	c := f.c
	c.From = c.From.UTC()
	var err error
	c.Criticality, err = posture.ParseCriticality(f.criticality)
	c.Target = targetFrom(c.Subject, f.target, f.targetAt, f.targetBy, f.targetBecauseOf, f.facets)
	return c, err
}

func scanComponent(row pgx.CollectableRow) (posture.Component, error) {
	var f componentFields
	if err := row.Scan(f.into()...); err != nil {
		return posture.Component{}, err
	}
	return f.component()
}

const (
	sqlInsertComponent = `
		insert into component (subject_id, portfolio_id, slug, recorded_at) values ($1, $2, $3, $4) returning id`

	sqlComponentCurrent = `
		select i.n, v.version, v.recorded_from
		from jsonb_to_recordset($1::jsonb) i (n integer, component_id bigint)
		join component_version v on v.component_id = i.component_id and v.recorded_to = 'infinity'`

	sqlCloseComponent = `
		update component_version v set recorded_to = $2
		from jsonb_to_recordset($1::jsonb) i (component_id bigint, version integer)
		where v.component_id = i.component_id and v.version = i.version and v.recorded_to = 'infinity'`

	sqlInsertComponentVersion = `
		insert into component_version (component_id, version, recorded_from, recorded_by, kind, name, purpose, owner, risk_owner,
			data_class, criticality, shared, retired, retired_because)
		select component_id, version + 1, $2, $3, kind, name, purpose, owner, risk_owner,
			data_class, criticality, shared, retired, retired_because
		from jsonb_to_recordset($1::jsonb) i (component_id bigint, version integer, kind text, name text, purpose text, owner text,
			risk_owner text, data_class text, criticality text, shared boolean, retired boolean, retired_because text)`

	// componentColumns are read from component c, component_version v and, as
	// g, the target in force.
	componentColumns = `c.id, c.subject_id, c.slug, c.portfolio_id, v.version, v.recorded_from, actor_name(v.recorded_by), v.kind,
		v.name, v.purpose, v.owner, v.risk_owner, v.data_class, v.criticality, v.shared, v.retired,
		g.id, g.recorded_at, actor_name(g.recorded_by), g.reason, g.identity`

	componentTarget = ` left join lateral (` + sqlTargetInForce + ` where g.subject_id = c.subject_id and known(g)
		order by g.recorded_at desc, g.id desc limit 1) g on true`

	sqlComponentBySlug = `
		select ` + componentColumns + `
		from component c join component_version v on v.component_id = c.id and in_force(v)` + componentTarget + `
		where c.slug = @slug`

	sqlComponentVersion = `
		select ` + componentColumns + `
		from component c join component_version v on v.component_id = c.id and v.version = @version` + componentTarget + `
		where c.slug = @slug`
)
