package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// tokenPrefix makes a token recognisable where it leaks.
const tokenPrefix = "demarc_"

// maxTokenDays bounds a token's life.
const maxTokenDays = 366

// CreateToken makes an API token and gives its secret, which is shown once and
// kept hashed. It reaches what its maker reaches.
func (s *Store) CreateToken(ctx context.Context, a posture.Access, name string, role posture.Role, days int) (made posture.Token, secret string, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return made, "", err
	}
	var faults posture.Fields
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 120 {
		faults.Add("name", "Say in at most 120 characters what will use the token.")
	}
	if days < 1 || days > maxTokenDays {
		faults.Add("days", fmt.Sprintf("Choose from 1 to %d days.", maxTokenDays))
	}
	if role == posture.Admin {
		faults.Add("role", "A token cannot be an administrator. Choose the least role that does the work.")
	}
	if err := faults.Err(); err != nil {
		return made, "", err
	}
	raw := make([]byte, 30)
	rand.Read(raw)
	secret = tokenPrefix + base64.RawURLEncoding.EncodeToString(raw)
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		portfolios := a.Portfolios
		if portfolios == nil {
			portfolios = []int64{}
		}
		made = posture.Token{Name: name, Role: role, Person: a.Actor, CreatedAt: t.now, ExpiresAt: t.now.AddDate(0, 0, days)}
		return t.QueryRow(ctx, sqlInsertToken, name, hashed(secret), role.String(), portfolios, a.AllPortfolios, t.now,
			a.Actor, made.ExpiresAt).Scan(&made.ID)
	})
	return made, secret, err
}

// Tokens lists the API tokens, newest first.
func (s *Store) Tokens(ctx context.Context, a posture.Access) (list []posture.Token, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return nil, err
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		rows, err := t.Query(ctx, sqlTokens)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.Token, error) {
			var k posture.Token
			var role string
			var used, revoked *time.Time
			if err := row.Scan(&k.ID, &k.Name, &role, &k.Person, &k.CreatedAt, &k.ExpiresAt, &revoked, &used); err != nil {
				return k, err
			}
			k.LastUsed, k.RevokedAt = instant(used), instant(revoked)
			var err error
			k.Role, err = posture.ParseRole(role)
			return k, err
		})
		return err
	})
	return list, err
}

// RevokeToken ends a token at once.
func (s *Store) RevokeToken(ctx context.Context, a posture.Access, id int64) error {
	if err := a.Need(posture.ManagePeople); err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		tag, err := t.Exec(ctx, sqlRevokeToken, id, t.now)
		if err == nil && tag.RowsAffected() == 0 {
			return posture.NotFoundError("token in force")
		}
		return err
	})
}

// TokenAccess gives what the holder of a secret may do, and keeps the last use
// to the minute. A wrong, expired or revoked secret asks to sign in.
func (s *Store) TokenAccess(ctx context.Context, secret, request string) (a posture.Access, err error) {
	none := &posture.Error{Kind: posture.SignInNeeded, Text: "The token is unknown, has expired or was revoked."}
	if !strings.HasPrefix(secret, tokenPrefix) {
		return a, none
	}
	asking := before()
	asking.Request = request
	err = s.write(ctx, asking, func(ctx context.Context, t *tx) error {
		var id int64
		var role string
		err := t.QueryRow(ctx, sqlTokenAccess, hashed(secret), t.now).Scan(&id, &a.Name, &role, &a.Portfolios, &a.AllPortfolios)
		if errors.Is(err, pgx.ErrNoRows) {
			return none
		}
		if err != nil {
			return err
		}
		a.Actor, a.Request = fmt.Sprintf("token:%d", id), request
		if a.Role, err = posture.ParseRole(role); err != nil {
			return err
		}
		_, err = t.Exec(ctx, sqlUseToken, id, t.now)
		return err
	})
	return a, err
}

const (
	sqlInsertToken = `
		insert into token (name, token_hash, role, portfolios, all_portfolios, recorded_at, recorded_by, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`
	sqlTokens = `
		select k.id, k.name, k.role, k.recorded_by, k.recorded_at, k.expires_at, k.revoked_at, u.used_at
		from token k left join token_use u on u.token_id = k.id order by k.id desc limit 500`
	sqlRevokeToken = `update token set revoked_at = $2 where id = $1 and revoked_at is null`
	sqlTokenAccess = `
		select id, name, role, portfolios, all_portfolios from token
		where token_hash = $1 and expires_at > $2 and (revoked_at is null or revoked_at > $2)`
	sqlUseToken = `
		insert into token_use (token_id, used_at) values ($1, $2)
		on conflict (token_id) do update set used_at = excluded.used_at where token_use.used_at < excluded.used_at - interval '1 minute'`
)
