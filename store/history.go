package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"demarc/store/posture"
)

// History lists what happened to a subject, newest first, before an instant;
// the zero instant begins at the page's own. A runtime's history has its links.
// A page holds limit events and all further ones of its last instant, so that
// the instant of the last event is the next page's before.
func (s *Store) History(ctx context.Context, a posture.Access, o posture.AsOf, subject int64, before time.Time, limit int) (list []posture.HistoryEvent, err error) {
	lib, err := loadShelf()
	if err != nil {
		return nil, err
	}
	err = s.read(ctx, a, func(ctx context.Context, t *tx) error {
		ref, err := t.subject(ctx, subject)
		if err != nil {
			return err
		}
		m := t.moment(o)
		args := pgx.NamedArgs{"subject": subject, "limit": pageLimit(limit), "until": m.until(), "before": pgtype.Timestamptz{
			InfinityModifier: pgtype.Infinity, Valid: true,
		}}
		if !before.IsZero() {
			args["before"] = pgtype.Timestamptz{Time: before, Valid: true}
		}
		rows, err := t.Query(ctx, sqlHistory, args)
		if err != nil {
			return fmt.Errorf("read the history: %w", err)
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (posture.HistoryEvent, error) {
			var e historyRow
			if err := row.Scan(&e.at, &e.by, &e.kind, &e.statements, &e.words, &e.id); err != nil {
				return posture.HistoryEvent{}, err
			}
			return e.event(lib, &ref), nil
		})
		return err
	})
	return list, err
}

// historyRow is an event as it is read; what words hold differs by kind.
type historyRow struct {
	at         time.Time
	by, kind   string
	statements []string
	words      []string
	id         int64
}

func (e *historyRow) event(lib *shelf, ref *posture.SubjectRef) posture.HistoryEvent {
	event := posture.HistoryEvent{At: e.at.UTC(), By: e.by, Kind: e.kind, Href: subjectPage(ref.Kind.String(), ref.Slug)}
	slices.SortFunc(e.statements, lib.compare)
	list := shortList(e.statements)
	if len(e.statements) == 1 {
		event.Href = statementHref(lib, ref.Kind.String(), ref.Slug, e.statements[0])
	}
	w := func(i int) string { return e.words[i] }
	switch e.kind {
	case "runtime", "component":
		event.Text, event.Detail = describedWords(w(0), w(1)), w(2)
	case "target":
		event.Text, event.Detail = targetWords(e.words[1:12], e.words[12:]), w(0)
	case "requirement":
		event.Text, event.Detail = requirementWords(w(0), w(1), w(2), len(e.statements), list), w(3)
	case "run":
		event.Kind, event.Text = "evidence", fmt.Sprintf("run %d imported from %s", e.id, w(0))
		event.Href = fmt.Sprintf("/evidence/runs/%d", e.id)
	case "evidence":
		event.Text = fmt.Sprintf("%s: %s on %s", evidenceID(e.id), w(0), list)
		event.Detail, event.Href = firstOf(w(1), w(2)), "/evidence/"+evidenceID(e.id)
	case "withdrawal":
		event.Text, event.Detail = fmt.Sprintf("%s on %s withdrawn", evidenceID(e.id), list), w(0)
		event.Href = "/evidence/" + evidenceID(e.id)
	case "closure", "acceptance", "ruling":
		event.Text, event.Detail = decisionWords(e.kind, e.id, w(0), w(1), list), w(2)
	case "link":
		event.Text, event.Href = fmt.Sprintf("%s: %s", w(0), w(1)), "/dependencies/"+w(1)
		if ref.Kind == posture.Receiver {
			event.Href = "/runtimes/" + w(1)
		}
	case "verdict":
		event.Text = fmt.Sprintf("%s moved from %s to %s", list, labelWords(w(0)), labelWords(w(1)))
		if event.Detail = w(2); event.Detail == causeTime {
			event.Detail = "its time had passed"
		}
	}
	return event
}

func describedWords(version, retired string) string {
	switch {
	case retired == "true":
		return "retired"
	case version == "1":
		return "described"
	default:
		return "description changed, version " + version
	}
}

// targetWords says what a target is, or what of it moved since the one before.
func targetWords(now, before []string) string {
	id, old := identityFrom(now), identityFrom(before)
	if len(before) == 0 {
		return "target recorded: " + strings.Join(strings.Fields(id[posture.Vendor]+" "+id[posture.Product]+" "+id[posture.Variant]), " ")
	}
	return "target changed: " + movedWords(&old, &id)
}

func requirementWords(wanted, rung, version string, n int, list string) string {
	text := counted(n, "statement")
	if n == 1 {
		text = "statement"
	}
	switch wanted {
	case posture.NotIntended.String():
		text += " not intended: "
	case posture.Undecided.String():
		text += " undecided, asked to be " + labelWords(rung) + ": "
	default:
		text += " asked to be " + labelWords(rung) + ": "
	}
	if version != "1" {
		text = "changed: " + text
	}
	return text + list
}

func decisionWords(kind string, id int64, word, revoked, list string) string {
	names := map[string]func(int64) string{"closure": closureID, "acceptance": acceptanceID, "ruling": rulingID}
	text := fmt.Sprintf("%s: %s on %s", names[kind](id), labelWords(word), list)
	if revoked == "true" {
		return text + " revoked"
	}
	return text
}

// labelWords writes a stored name as a page does.
func labelWords(name string) string { return strings.ReplaceAll(name, "_", " ") }

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
