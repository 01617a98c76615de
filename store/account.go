package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// NewAccount is what the holder of a one-time link fills in.
type NewAccount struct {
	Email    string
	Name     string
	Password string
}

// How long links live, and how many wrong passwords close an address for how
// long.
const (
	setupLife     = 24 * time.Hour
	inviteLife    = 7 * 24 * time.Hour
	wrongWindow   = 15 * time.Minute
	wrongAllowed  = 10
	shortPassword = 12
	longPassword  = 256
)

// SetUpNeeded says whether no account exists yet.
func (s *Store) SetUpNeeded(ctx context.Context) (needed bool, err error) {
	err = s.read(ctx, before(), func(ctx context.Context, t *tx) error {
		return t.QueryRow(ctx, sqlNoPeople).Scan(&needed)
	})
	return needed, err
}

// NewSetup makes the one-time link's token by which the first administrator is
// made. Earlier ones that were not used end.
func (s *Store) NewSetup(ctx context.Context, actor string) (token string, err error) {
	err = s.write(ctx, posture.Access{Actor: actor}, func(ctx context.Context, t *tx) error {
		if _, err := t.Exec(ctx, sqlEndSetups, t.now); err != nil {
			return err
		}
		token, err = t.invitation(ctx, "setup", nil, setupLife)
		return err
	})
	return token, err
}

// Invite makes an account and the one-time link's token by which its holder
// chooses a password.
func (s *Store) Invite(ctx context.Context, a posture.Access, p posture.Person) (made posture.Person, token string, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return p, "", err
	}
	if err := checkPerson(&p); err != nil {
		return p, "", err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		p.Active = true
		if p, err = t.newPerson(ctx, p); err != nil {
			return err
		}
		if token, err = t.invitation(ctx, "invite", &p.ID, inviteLife); err != nil {
			return err
		}
		made, err = t.person(ctx, p.ID, 0)
		return err
	})
	return made, token, err
}

func (t *tx) newPerson(ctx context.Context, p posture.Person) (posture.Person, error) {
	if err := t.QueryRow(ctx, sqlInsertPerson, t.now).Scan(&p.ID); err != nil {
		return p, err
	}
	p.Version = 1
	return p, t.insertPersonVersion(ctx, p)
}

func (t *tx) invitation(ctx context.Context, kind string, person *int64, life time.Duration) (string, error) {
	secret := make([]byte, 24)
	rand.Read(secret)
	token := base64.RawURLEncoding.EncodeToString(secret)
	_, err := t.Exec(ctx, sqlInsertInvitation, hashed(token), kind, person, t.now, t.access.Actor, t.now.Add(life))
	return token, err
}

var errLink = &posture.Error{Kind: posture.NotFound, Text: "This link was used, has expired or was never made. Ask an administrator for a new one, or start demarc again where no account exists yet."}

// SetupOpen says what an unused link is for, "setup" or "invite", and the
// address it was made for.
func (s *Store) SetupOpen(ctx context.Context, token string) (kind, email string, err error) {
	err = s.read(ctx, before(), func(ctx context.Context, t *tx) error {
		kind, email, _, err = t.openInvitation(ctx, token)
		return err
	})
	return kind, email, err
}

func (t *tx) openInvitation(ctx context.Context, token string) (kind, email string, person int64, err error) {
	err = t.QueryRow(ctx, sqlOpenInvitation, hashed(token), t.now).Scan(&kind, &email, &person)
	if errors.Is(err, pgx.ErrNoRows) {
		err = errLink
	}
	return kind, email, person, err
}

// SetUp uses a one-time link: it makes the first administrator, or sets the
// password of an invited account.
func (s *Store) SetUp(ctx context.Context, token string, n NewAccount, request string) (p posture.Person, err error) {
	a := before()
	a.Request = request
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		if _, err := t.Exec(ctx, sqlLockSetup); err != nil {
			return err
		}
		kind, _, person, err := t.openInvitation(ctx, token)
		if err != nil {
			return err
		}
		if err := checkPassword("password", n.Password); err != nil {
			return err
		}
		if kind == "setup" {
			p = posture.Person{Email: n.Email, Name: n.Name, Role: posture.Admin, AllPortfolios: true, Active: true}
			if err := checkPerson(&p); err != nil {
				return err
			}
			if p, err = t.newPerson(ctx, p); err != nil {
				return err
			}
			person = p.ID
		}
		if err := t.setPassword(ctx, person, n.Password); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, sqlUseInvitation, hashed(token), t.now); err != nil {
			return err
		}
		p, err = t.person(ctx, person, 0)
		return err
	})
	return p, err
}

func checkPassword(field, password string) error {
	n := utf8.RuneCountInString(password)
	if n < shortPassword || len(password) > longPassword {
		return posture.InvalidField(field, fmt.Sprintf("Choose at least %d characters, at most %d. A sentence is fine.", shortPassword, longPassword))
	}
	return nil
}

func (t *tx) setPassword(ctx context.Context, person int64, password string) error {
	_, err := t.Exec(ctx, sqlInsertSecret, person, t.now, hashPassword(password))
	return err
}

// SignIn gives the account of an address and password. The error names neither
// as the wrong one; ten wrong tries in a quarter of an hour close the address
// for the rest of it.
func (s *Store) SignIn(ctx context.Context, email, password, request string) (p posture.Person, err error) {
	a := before()
	a.Request = request
	email = strings.TrimSpace(email)
	wrong := &posture.Error{Kind: posture.Invalid, Text: "No active account has this address and password."}
	signedIn := false
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var failures int
		if err := t.QueryRow(ctx, sqlWrongTries, email, t.now.Add(-wrongWindow)).Scan(&failures); err != nil {
			return err
		}
		if failures >= wrongAllowed {
			wrong.Text = "Too many wrong tries for this address. Wait a quarter of an hour, then try again."
			return nil
		}
		var person int64
		var secret string
		err := t.QueryRow(ctx, sqlSecret, email).Scan(&person, &secret)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		signedIn = passwordMatches(secret, password)
		var known *int64
		if person != 0 {
			known = &person
		}
		if _, err := t.Exec(ctx, sqlInsertSignIn, email, known, t.now, signedIn); err != nil {
			return err
		}
		if signedIn {
			p, err = t.person(ctx, person, 0)
			return err
		}
		return nil
	})
	if err == nil && !signedIn {
		return p, wrong
	}
	return p, err
}

// ChangePassword replaces a person's own password.
func (s *Store) ChangePassword(ctx context.Context, a posture.Access, old, password string) error {
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var secret string
		if err := t.QueryRow(ctx, sqlSecretOf, a.Person).Scan(&secret); err != nil {
			return err
		}
		if !passwordMatches(secret, old) {
			return posture.InvalidField("old", "This is not the password in force.")
		}
		if err := checkPassword("password", password); err != nil {
			return err
		}
		return t.setPassword(ctx, a.Person, password)
	})
}

// ResetPassword makes a one-time link's token by which the holder of the
// address chooses a new password: the way back in for whoever holds the data
// directory.
func (s *Store) ResetPassword(ctx context.Context, a posture.Access, email string) (token string, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return "", err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		var person int64
		if err := t.QueryRow(ctx, sqlPersonByEmail, strings.TrimSpace(email)).Scan(&person); err != nil {
			return err
		}
		token, err = t.invitation(ctx, "invite", &person, setupLife)
		return err
	})
	return token, err
}

const (
	sqlNoPeople         = `select not exists (select from person)`
	sqlLockSetup        = `select pg_advisory_xact_lock(hashtext('demarc.setup'))`
	sqlEndSetups        = `update invitation set used_at = $1 where kind = 'setup' and used_at is null`
	sqlInsertPerson     = `insert into person (recorded_at) values ($1) returning id`
	sqlInsertInvitation = `
		insert into invitation (token_hash, kind, person_id, recorded_at, recorded_by, expires_at) values ($1, $2, $3, $4, $5, $6)`
	sqlOpenInvitation = `
		select i.kind, coalesce(v.email, ''), coalesce(i.person_id, 0)
		from invitation i left join person_version v on v.person_id = i.person_id and v.recorded_to = 'infinity'
		where i.token_hash = $1 and i.used_at is null and i.expires_at > $2
			and (i.kind <> 'setup' or not exists (select from person)) and coalesce(v.active, true)`
	sqlUseInvitation = `update invitation set used_at = $2 where token_hash = $1 and used_at is null`
	sqlInsertSecret  = `insert into person_secret (person_id, recorded_at, hash) values ($1, $2, $3)`
	sqlWrongTries    = `
		select count(*) from sign_in
		where lower(email) = lower($1) and recorded_at > $2 and not succeeded
			and recorded_at > coalesce((select max(recorded_at) from sign_in where lower(email) = lower($1) and succeeded), '-infinity')`
	sqlSecret = `
		select v.person_id, s.hash from person_version v
		join lateral (select hash from person_secret s where s.person_id = v.person_id order by id desc limit 1) s on true
		where lower(v.email) = lower($1) and v.recorded_to = 'infinity' and v.active`
	sqlSecretOf      = `select hash from person_secret where person_id = $1 order by id desc limit 1`
	sqlInsertSignIn  = `insert into sign_in (email, person_id, recorded_at, succeeded) values ($1, $2, $3, $4)`
	sqlPersonByEmail = `select person_id from person_version where lower(email) = lower($1) and recorded_to = 'infinity'`
)
