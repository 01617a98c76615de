package store

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Nav holds the counts that every page's navigation shows.
type Nav struct {
	OpenDiscrepancies int
}

// People lists the accounts, by name. Every person may read names: owners are
// named on every page.
func (s *Store) People(ctx context.Context, a posture.Access) (people []posture.Person, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		rows, err := t.Query(ctx, sqlPeople)
		if err != nil {
			return err
		}
		people, err = pgx.CollectRows(rows, scanPerson)
		return err
	})
	return people, err
}

// PersonByID gives one version of an account; version 0 is the newest.
func (s *Store) PersonByID(ctx context.Context, a posture.Access, id int64, version int) (p posture.Person, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		p, err = t.person(ctx, id, version)
		return err
	})
	return p, err
}

// ChangePerson saves a new version of an account; p.Version is the version
// that the editor started from.
func (s *Store) ChangePerson(ctx context.Context, a posture.Access, p posture.Person) (saved posture.Person, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return p, err
	}
	if err := checkPerson(&p); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		now, err := t.person(ctx, p.ID, 0)
		if err != nil {
			return err
		}
		if now.Version != p.Version {
			return conflict("This account", now.Version)
		}
		if err := t.keepAnAdmin(ctx, now, p); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, sqlEndPerson, p.ID, t.now); err != nil {
			return err
		}
		p.Version++
		if err := t.insertPersonVersion(ctx, p); err != nil {
			return err
		}
		saved, err = t.person(ctx, p.ID, 0)
		return err
	})
	return saved, err
}

// keepAnAdmin refuses to take away the last active administrator.
func (t *tx) keepAnAdmin(ctx context.Context, now, next posture.Person) error {
	if now.Role != posture.Admin || !now.Active || (next.Role == posture.Admin && next.Active) {
		return nil
	}
	var others int
	if err := t.QueryRow(ctx, sqlOtherAdmins, now.ID).Scan(&others); err != nil {
		return err
	}
	if others == 0 {
		return posture.InvalidField("role", "This is the last active administrator. Make somebody else one first.")
	}
	return nil
}

func checkPerson(p *posture.Person) error {
	var faults posture.Fields
	p.Email, p.Name = strings.TrimSpace(p.Email), strings.TrimSpace(p.Name)
	if address, err := mail.ParseAddress(p.Email); err != nil || address.Address != p.Email || len(p.Email) > 254 {
		faults.Add("email", "Give one e-mail address, such as ines@example.org.")
	}
	if p.Name == "" || len(p.Name) > 120 {
		faults.Add("name", "Give a name of at most 120 characters; owners are shown by it.")
	}
	if !p.AllPortfolios && len(p.Portfolios) == 0 && p.Role == posture.Admin {
		faults.Add("portfolios", "An administrator reaches all portfolios.")
	}
	return faults.Err()
}

func (t *tx) insertPersonVersion(ctx context.Context, p posture.Person) error {
	portfolios := p.Portfolios
	if portfolios == nil {
		portfolios = []int64{}
	}
	_, err := t.Exec(ctx, sqlInsertPersonVersion, p.ID, p.Version, t.now, t.access.Actor, p.Email, p.Name, p.Role.String(),
		portfolios, p.AllPortfolios, p.Active)
	return err
}

func (t *tx) person(ctx context.Context, id int64, version int) (posture.Person, error) {
	rows, err := t.Query(ctx, sqlPerson, id, version)
	if err != nil {
		return posture.Person{}, err
	}
	p, err := pgx.CollectExactlyOneRow(rows, scanPerson)
	if errors.Is(err, pgx.ErrNoRows) {
		return p, posture.NotFoundError("account")
	}
	return p, err
}

func scanPerson(row pgx.CollectableRow) (posture.Person, error) {
	var p posture.Person
	var role string
	var last *time.Time
	if err := row.Scan(&p.ID, &p.Version, &p.From, &p.Email, &p.Name, &role, &p.Portfolios, &p.AllPortfolios, &p.Active, &last); err != nil {
		return p, err
	}
	p.From, p.LastSignIn = p.From.UTC(), instant(last)
	var err error
	p.Role, err = posture.ParseRole(role)
	return p, err
}

// Desk loads what every page of a signed-in person needs, in one statement:
// who they are, what they may reach, and the counts of the navigation.
func (s *Store) Desk(ctx context.Context, person int64, request string) (posture.Access, posture.Person, Nav, error) {
	var p posture.Person
	var nav Nav
	look := posture.Access{Actor: fmt.Sprintf("person:%d", person), Request: request, AllPortfolios: true}
	err := s.read(ctx, look, func(ctx context.Context, t *tx) error {
		var role string
		var last *time.Time
		err := t.QueryRow(ctx, sqlDesk, person).Scan(&p.ID, &p.Version, &p.From, &p.Email, &p.Name, &role, &p.Portfolios,
			&p.AllPortfolios, &p.Active, &last, &nav.OpenDiscrepancies)
		if err != nil {
			return err
		}
		p.LastSignIn = instant(last)
		p.Role, err = posture.ParseRole(role)
		return err
	})
	if posture.KindOf(err) == posture.NotFound || (err == nil && !p.Active) {
		return posture.Access{}, p, nav, &posture.Error{Kind: posture.SignInNeeded, Text: "Sign in to go on."}
	}
	a := posture.Access{
		Actor: look.Actor, Person: p.ID, Name: p.Name, Role: p.Role, Portfolios: p.Portfolios,
		AllPortfolios: p.AllPortfolios, Request: request,
	}
	return a, p, nav, err
}

const (
	personColumns = `v.person_id, v.version, v.recorded_from, v.email, v.name, v.role, v.portfolios, v.all_portfolios, v.active,
		(select max(recorded_at) from sign_in i where i.person_id = v.person_id and i.succeeded)`

	sqlPeople = `select ` + personColumns + ` from person_version v where v.recorded_to = 'infinity' order by v.name, v.person_id`

	sqlPerson = `select ` + personColumns + `
		from person_version v
		where v.person_id = $1 and case when $2::integer = 0 then v.recorded_to = 'infinity' else v.version = $2 end`

	sqlEndPerson = `update person_version set recorded_to = $2 where person_id = $1 and recorded_to = 'infinity'`

	sqlInsertPersonVersion = `
		insert into person_version (person_id, version, recorded_from, recorded_by, email, name, role, portfolios, all_portfolios, active)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

	sqlOtherAdmins = `
		select count(*) from person_version
		where recorded_to = 'infinity' and role = 'admin' and active and person_id <> $1`

	// Discrepancies are counted by the reader's own portfolios, which this
	// statement only learns on its way.
	sqlDesk = `select ` + personColumns + `,
		(select count(*) from (
			select from discrepancy d join discrepancy_version dv on dv.discrepancy_id = d.id and dv.recorded_to = 'infinity'
			join subject s on s.id = d.subject_id
			where dv.state <> 'closed' and d.kind = 'boundary_failed' and (v.all_portfolios or s.portfolio_id = any (v.portfolios))
				and (d.over_block or exists (select from sighting g join verdict j on j.subject_id = d.subject_id and j.statement = d.statement
					and j.recorded_to = 'infinity' and (g.evidence_id = any (j.hard) or g.evidence_id = any (j.soft))
					where g.discrepancy_id = d.id))
			limit 10000) open)
		from person_version v where v.person_id = $1 and v.recorded_to = 'infinity'`
)
