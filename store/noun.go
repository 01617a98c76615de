package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"demarc/store/posture"
)

// noun is a versioned noun: how its versions are read, closed and opened. Each
// statement takes rows as one JSON array, so that many are written at once.
type noun struct {
	// current gives n, version and recorded_from of the versions in force.
	current string
	// close ends the versions in force at $2.
	close string
	// insert opens versions recorded from $2 by $3.
	insert string
}

// edit is one new version of a noun.
type edit struct {
	// What names the row in a conflict, as the beginning of a sentence.
	What string
	// From is the version that the editor started from, 0 for none yet.
	From int
	// Row holds the columns by name, the key's among them.
	Row map[string]any
}

// save writes the next version of each row, or none: an edit that did not
// start from the version in force is a conflict. The caller holds the lock of
// the rows' subjects. It may move the transaction's time after the versions
// it closes.
func (t *tx) save(ctx context.Context, n noun, edits []edit) error {
	if len(edits) == 0 {
		return nil
	}
	rows := make([]map[string]any, len(edits))
	closing := 0
	for i, e := range edits {
		e.Row["n"], e.Row["version"] = i, e.From
		rows[i] = e.Row
		if e.From > 0 {
			closing++
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("write versions: %w", err)
	}
	if err := t.checkCurrent(ctx, n, edits, body); err != nil {
		return err
	}
	if closing > 0 {
		tag, err := t.Exec(ctx, n.close, body, t.now)
		if err != nil {
			return fmt.Errorf("close versions: %w", err)
		}
		if tag.RowsAffected() != int64(closing) {
			return conflict(edits[0].What, edits[0].From+1)
		}
	}
	if _, err := t.Exec(ctx, n.insert, body, t.now, t.access.Actor); err != nil {
		return fmt.Errorf("open versions: %w", err)
	}
	return nil
}

// checkCurrent compares the versions in force with those the edits started
// from, and moves the transaction's time after them.
func (t *tx) checkCurrent(ctx context.Context, n noun, edits []edit, body []byte) error {
	rows, err := t.Query(ctx, n.current, body)
	if err != nil {
		return fmt.Errorf("read the versions in force: %w", err)
	}
	defer rows.Close()
	now := make([]int, len(edits))
	for rows.Next() {
		var i, version int
		var from time.Time
		if err := rows.Scan(&i, &version, &from); err != nil {
			return fmt.Errorf("read the versions in force: %w", err)
		}
		now[i] = version
		if !t.now.After(from) {
			t.now = from.UTC().Add(posture.Tick)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read the versions in force: %w", err)
	}
	for i, e := range edits {
		if now[i] != e.From {
			return conflict(e.What, now[i])
		}
	}
	return nil
}
