package store

import (
	"context"
	"fmt"

	"demarc/store/posture"
)

// ComponentPage gives a component with the runtimes that use it and the
// statements judged on it.
func (s *Store) ComponentPage(ctx context.Context, a posture.Access, o posture.AsOf, slug string) (page posture.ComponentPage, err error) {
	lib, err := loadShelf()
	if err != nil {
		return page, err
	}
	err = s.page(ctx, a, o, func(ctx context.Context, t *tx, m moment, _ int) error {
		page = posture.ComponentPage{}
		var err error
		if page.Component, err = t.componentAt(ctx, slug, m); err != nil {
			return err
		}
		if page.Users, err = t.users(ctx, m, page.Component.ID); err != nil {
			return fmt.Errorf("read links: %w", err)
		}
		if page.Previous, err = t.previousTarget(ctx, m, page.Component.Subject); err != nil {
			return err
		}
		c := &page.Component
		ref := posture.SubjectRef{ID: c.Subject, Kind: posture.Receiver, Slug: c.Slug, Name: c.Name}
		sheet, err := t.sheet(ctx, lib, m, []posture.SubjectRef{ref}, posture.DiscrepancyFilter{Subject: c.Subject})
		if err != nil {
			return err
		}
		page.Statements, page.Open, page.Evidence = sheet.rows, sheet.open, sheet.evidence
		for i := range sheet.judged {
			if sheet.judged[i].Required {
				count(&page.Counts, sheet.judged[i].Label, 1)
			}
		}
		return nil
	})
	return page, err
}
