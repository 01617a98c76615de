package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// Portfolios lists the portfolios in reach.
func (s *Store) Portfolios(ctx context.Context, a posture.Access) (list []posture.Portfolio, err error) {
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		rows, err := t.Query(ctx, sqlPortfolios)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[posture.Portfolio])
		return err
	})
	return list, err
}

// CreatePortfolio makes a portfolio. A sample one can be removed whole.
func (s *Store) CreatePortfolio(ctx context.Context, a posture.Access, p posture.Portfolio) (made posture.Portfolio, err error) {
	if err := a.Need(posture.ManagePeople); err != nil {
		return p, err
	}
	err = s.write(ctx, a, func(ctx context.Context, t *tx) error {
		made = p
		return t.QueryRow(ctx, sqlInsertPortfolio, p.Slug, p.Name, p.Sample, t.now).Scan(&made.ID)
	})
	return made, err
}

// RemoveSample removes a sample portfolio with everything in it. Its audit
// rows stay. A portfolio that is no sample is not found.
func (s *Store) RemoveSample(ctx context.Context, a posture.Access, portfolio int64) error {
	if err := a.Need(posture.ManagePeople); err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		_, err := t.Exec(ctx, sqlRemoveSample, portfolio)
		return err
	})
}

// defaultPortfolio is the portfolio of what names none: the first in reach.
func (t *tx) defaultPortfolio(ctx context.Context) (int64, error) {
	var id int64
	if err := t.QueryRow(ctx, sqlDefaultPortfolio).Scan(&id); err != nil {
		return 0, err
	}
	return id, nil
}

const (
	sqlPortfolios       = `select id, slug, name, sample from portfolio order by id`
	sqlInsertPortfolio  = `insert into portfolio (slug, name, sample, recorded_at) values ($1, $2, $3, $4) returning id`
	sqlRemoveSample     = `select remove_sample($1)`
	sqlDefaultPortfolio = `select id from portfolio where not sample order by id limit 1`
)
