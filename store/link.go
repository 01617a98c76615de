package store

import (
	"context"
	"time"

	"demarc/store/posture"
)

// Link says that sessions of a runtime use a receiver. What the runtime's
// profile asks of receivers becomes asked of it, unless something is asked of
// it on the same statement already.
func (s *Store) Link(ctx context.Context, a posture.Access, runtime, component string) error {
	if err := a.Need(posture.EditInventory); err != nil {
		return err
	}
	lib, err := loadShelf()
	if err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		r, c, err := t.lockPair(ctx, runtime, component)
		if err != nil {
			return err
		}
		var faults posture.Fields
		if r.Retired {
			faults.Add("runtime", "This runtime is retired. Bring it back first.")
		}
		if c.Retired {
			faults.Add("component", "This component is retired. Bring it back first.")
		}
		if err := faults.Err(); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, sqlLink, r.ID, c.ID, t.now, a.Actor); err != nil {
			return err
		}
		asked, err := t.requirements(ctx, []int64{c.Subject})
		if err != nil {
			return err
		}
		inherited, err := receiverRequirements(lib, &r, &c)
		if err != nil {
			return err
		}
		if err := t.saveRequirements(ctx, missing(inherited, asked)); err != nil {
			return err
		}
		_, err = t.rejudge(ctx, []int64{c.Subject}, "linked to "+r.Slug)
		return err
	})
}

// Unlink says that sessions of a runtime use a receiver no more. What was
// asked of the receiver stays.
func (s *Store) Unlink(ctx context.Context, a posture.Access, runtime, component string) error {
	if err := a.Need(posture.EditInventory); err != nil {
		return err
	}
	return s.write(ctx, a, func(ctx context.Context, t *tx) error {
		r, c, err := t.lockPair(ctx, runtime, component)
		if err != nil {
			return err
		}
		tag, err := t.Exec(ctx, sqlUnlink, r.ID, c.ID, t.now)
		if err == nil && tag.RowsAffected() == 0 {
			return posture.InvalidField("component", "The runtime is not linked to this component.")
		}
		return err
	})
}

// lockPair locks both subjects for writing and moves the transaction's time
// after the last change of their link.
func (t *tx) lockPair(ctx context.Context, runtime, component string) (r posture.Runtime, c posture.Component, err error) {
	if r, err = t.runtimeBySlug(ctx, runtime); err != nil {
		return r, c, err
	}
	if c, err = t.componentBySlug(ctx, component); err != nil {
		return r, c, err
	}
	if err = t.lockSubjects(ctx, []int64{r.Subject, c.Subject}); err != nil {
		return r, c, err
	}
	var last *time.Time
	if err = t.QueryRow(ctx, sqlLastLink, r.ID, c.ID).Scan(&last); err != nil {
		return r, c, err
	}
	if last != nil && !t.now.After(*last) {
		t.now = last.UTC().Add(posture.Tick)
	}
	// What was read before the lock may have changed before it was held.
	if r, err = t.runtimeBySlug(ctx, runtime); err != nil {
		return r, c, err
	}
	c, err = t.componentBySlug(ctx, component)
	return r, c, err
}

const (
	sqlLink = `
		insert into runtime_link (runtime_id, component_id, recorded_from, recorded_by) values ($1, $2, $3, $4)`

	sqlUnlink = `
		update runtime_link set recorded_to = $3
		where runtime_id = $1 and component_id = $2 and recorded_to = 'infinity'`

	sqlLastLink = `
		select max(greatest(recorded_from, nullif(recorded_to, 'infinity'))) from runtime_link
		where runtime_id = $1 and component_id = $2`
)
