// Package demo makes the sample portfolio: the worked scenario of
// model.md §2.11 as dated records, and a few runtimes on catalogue systems.
//
// It works through the store's and the importers' ordinary methods with a
// clock that stands in the past. Nothing anywhere knows that its records are a
// sample, but for the portfolio they are in, which an administrator can remove
// whole.
package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"demarc/importers/catalogue"
	"demarc/store"
	"demarc/store/posture"
)

const slug = "sample"

// Load makes the sample portfolio unless it is there already, with every date
// counted back from now.
func Load(ctx context.Context, s *store.Store, shipped *catalogue.Catalogue, now time.Time) error {
	admin := posture.Access{Actor: "sample:demarc", Name: "Demarc", Role: posture.Admin, AllPortfolios: true, Request: "sample"}
	portfolios, err := s.Portfolios(ctx, admin)
	if err != nil {
		return err
	}
	for _, p := range portfolios {
		if p.Slug == slug {
			return nil
		}
	}
	p, err := s.CreatePortfolio(ctx, admin, posture.Portfolio{Slug: slug, Name: "Sample", Sample: true})
	if err != nil {
		return err
	}
	midnight := now.UTC().Truncate(posture.Day)
	t := &teller{ctx: ctx, store: s, portfolio: p.ID, midnight: midnight, now: now}
	t.workedScenario()
	t.catalogueRuntimes(shipped)
	if t.err != nil {
		// Half a story is worse than none: what was made of it goes again.
		return fmt.Errorf("make the sample portfolio: %w", joinRemoval(ctx, s, admin, p.ID, t.err))
	}
	return nil
}

func joinRemoval(ctx context.Context, s *store.Store, admin posture.Access, portfolio int64, err error) error {
	if removal := s.RemoveSample(ctx, admin, portfolio); removal != nil {
		return fmt.Errorf("%w (and removing it failed: %w)", err, removal)
	}
	return err
}

// teller tells the story: each step sets the clock, then acts. After the first
// error it does nothing more.
type teller struct {
	ctx       context.Context
	store     *store.Store
	portfolio int64
	midnight  time.Time
	now       time.Time
	at        time.Time
	err       error
}

// on sets the clock to nine in the morning, so many days ago, but never past
// the present.
func (t *teller) on(daysAgo int) {
	t.at = t.midnight.Add(-time.Duration(daysAgo)*posture.Day + 9*time.Hour)
	if t.at.After(t.now) {
		t.at = t.now
	}
}

// clock moves on a minute whenever it is read, so that no two records of a day
// are made at one instant.
func (t *teller) clock() time.Time {
	t.at = t.at.Add(time.Minute)
	return t.at
}

func (t *teller) told() *store.Store { return t.store.WithClock(t.clock) }

// person acts in the sample: a name and a role, no account.
func (t *teller) person(name string, role posture.Role) posture.Access {
	return posture.Access{
		Actor: name, Name: name, Role: role, Portfolios: []int64{t.portfolio}, Request: "sample",
	}
}

// do runs one action unless an earlier one failed.
func (t *teller) do(what string, action func() error) {
	if t.err != nil {
		return
	}
	if err := action(); err != nil {
		t.err = fmt.Errorf("%s: %w", what, err)
	}
}

// digest gives a digest that is made up but looks and compares like one.
func digest(of string) string {
	sum := sha256.Sum256([]byte("sample " + of))
	return "sha256:" + hex.EncodeToString(sum[:])
}
