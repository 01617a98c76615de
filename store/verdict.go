package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

// judged is a verdict as it holds over an interval, with what lists need.
type judged struct {
	posture.Verdict
	Subject   int64
	Statement string
	From      time.Time
	To        time.Time
	// ChangesAt is when time alone would next change it; zero for never.
	ChangesAt time.Time
	Required  bool
}

// verdictRow is a verdict as it is written.
type verdictRow struct {
	Subject     int64      `json:"subject_id"`
	Statement   string     `json:"statement"`
	From        time.Time  `json:"recorded_from"`
	To          *time.Time `json:"recorded_to"`
	ChangesAt   *time.Time `json:"changes_at"`
	Label       string     `json:"label"`
	State       string     `json:"state"`
	Rung        string     `json:"rung"`
	Best        string     `json:"best"`
	Met         bool       `json:"met"`
	Required    bool       `json:"required"`
	Hard        []int64    `json:"hard"`
	Soft        []int64    `json:"soft"`
	Acceptance  *int64     `json:"acceptance_id"`
	PathsTested int        `json:"paths_tested"`
	PathsKnown  int        `json:"paths_known"`
	Lapsed      int        `json:"lapsed"`
	Library     string     `json:"library"`
	Policy      int        `json:"policy"`
	Cause       string     `json:"cause"`
}

// rejudge brings the verdicts of the subjects up to the transaction's time:
// first the lapses that time alone brought, each dated by its own instant,
// then what the facts just written change. It gives the labels that moved at
// the transaction's time. The caller holds lockSubjects.
func (t *tx) rejudge(ctx context.Context, subjects []int64, cause string) ([]posture.Movement, error) {
	facts, err := t.loadFacts(ctx, subjects)
	if err != nil {
		return nil, err
	}
	current, err := t.currentVerdicts(ctx, subjects)
	if err != nil {
		return nil, err
	}
	for _, j := range current {
		if !t.now.After(j.From) {
			t.now = j.From.Add(time.Microsecond)
		}
	}
	pass := rejudging{now: t.now, cause: cause}
	for _, id := range sortedKeys(facts) {
		f := facts[id]
		for _, statement := range f.statements() {
			var before *judged
			if j, ok := current[verdictKey{id, statement}]; ok {
				before = &j
			}
			if err := pass.statement(f, statement, before); err != nil {
				return nil, err
			}
		}
	}
	return pass.moves, t.writeVerdicts(ctx, &pass)
}

// rejudging collects what one pass closes, opens and moves.
type rejudging struct {
	now    time.Time
	cause  string
	closed []verdictRow
	opened []verdictRow
	moves  []posture.Movement
}

func (p *rejudging) statement(f *subjectFacts, statement string, before *judged) error {
	// Lapses between the last look and now, oldest first.
	for before != nil && !before.ChangesAt.IsZero() && before.ChangesAt.Before(p.now) {
		next := judgeAt(f, statement, before.ChangesAt)
		if err := p.replace(before, &next, "time"); err != nil {
			return err
		}
		if !next.ChangesAt.IsZero() && !next.ChangesAt.After(next.From) {
			return fmt.Errorf("verdict on %s of subject %d does not advance past %s", statement, f.Subject.ID, next.From)
		}
		before = &next
	}
	after := judgeAt(f, statement, p.now)
	if before == nil {
		before = &judged{Subject: f.Subject.ID, Statement: statement}
		before.Label, before.State = posture.LabelNotStated, posture.LabelNotStated
		if err := p.replace(nil, &after, p.cause); err != nil {
			return err
		}
	} else if same(before, &after) {
		return nil
	} else if err := p.replace(before, &after, p.cause); err != nil {
		return err
	}
	if before.Label != after.Label {
		p.moves = append(p.moves, posture.Movement{
			Subject: f.Subject, On: f.Subject.Slug, Kind: f.Subject.Kind.String(), Statement: statement,
			From: before.Label.String(), To: after.Label.String(),
			Because: posture.Because(p.cause, &before.Verdict, &after.Verdict), At: p.now,
		})
	}
	return nil
}

func (p *rejudging) replace(before, after *judged, cause string) error {
	if before != nil {
		row, err := before.row("")
		if err != nil {
			return err
		}
		row.To = &after.From
		p.closed = append(p.closed, row)
	}
	row, err := after.row(cause)
	if err != nil {
		return err
	}
	p.opened = append(p.opened, row)
	return nil
}

// judgeAt judges one statement with both clocks at k.
func judgeAt(f *subjectFacts, statement string, k time.Time) judged {
	facts := f.at(statement, k)
	r, required := f.requirementAt(statement, k)
	return judged{
		Verdict: posture.Judge(&facts, k, k), Subject: f.Subject.ID, Statement: statement, From: k,
		ChangesAt: posture.ChangesAt(&facts, k, k), Required: required && r.Required(),
	}
}

// same says whether the two say the same and for as long.
func same(a, b *judged) bool {
	return a.Label == b.Label && a.State == b.State && a.Rung == b.Rung && a.Best == b.Best && a.Met == b.Met &&
		a.Required == b.Required && a.Acceptance == b.Acceptance && a.PathsTested == b.PathsTested &&
		a.PathsKnown == b.PathsKnown && a.Lapsed == b.Lapsed && a.ChangesAt.Equal(b.ChangesAt) &&
		slices.Equal(a.Hard, b.Hard) && slices.Equal(a.Soft, b.Soft)
}

func (j *judged) row(cause string) (verdictRow, error) {
	hard, err := evidenceRows(j.Hard)
	if err != nil {
		return verdictRow{}, err
	}
	soft, err := evidenceRows(j.Soft)
	if err != nil {
		return verdictRow{}, err
	}
	row := verdictRow{
		Subject: j.Subject, Statement: j.Statement, From: j.From,
		Label: j.Label.String(), State: j.State.String(), Rung: j.Rung.String(), Best: j.Best.String(),
		Met: j.Met, Required: j.Required, Hard: hard, Soft: soft,
		PathsTested: j.PathsTested, PathsKnown: j.PathsKnown, Lapsed: int(j.Lapsed),
		Library: library.Version, Policy: 1, Cause: cause,
	}
	if !j.ChangesAt.IsZero() {
		row.ChangesAt = &j.ChangesAt
	}
	if j.Acceptance != "" {
		id, err := parseID('A', j.Acceptance)
		if err != nil {
			return verdictRow{}, err
		}
		row.Acceptance = &id
	}
	return row, nil
}

func (t *tx) writeVerdicts(ctx context.Context, p *rejudging) error {
	if len(p.opened) == 0 {
		return nil
	}
	// A row may be opened and closed in one pass: it is written with its end.
	ends := make(map[verdictMoment]*time.Time, len(p.closed))
	for _, row := range p.closed {
		ends[row.moment()] = row.To
	}
	for i := range p.opened {
		if end, ok := ends[p.opened[i].moment()]; ok {
			p.opened[i].To = end
			delete(ends, p.opened[i].moment())
		}
	}
	closing := slices.DeleteFunc(p.closed, func(row verdictRow) bool { _, old := ends[row.moment()]; return !old })
	if len(closing) > 0 {
		body, err := json.Marshal(closing)
		if err != nil {
			return fmt.Errorf("write verdicts: %w", err)
		}
		if _, err := t.Exec(ctx, sqlCloseVerdicts, body); err != nil {
			return fmt.Errorf("close verdicts: %w", err)
		}
	}
	body, err := json.Marshal(p.opened)
	if err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	if _, err := t.Exec(ctx, sqlOpenVerdicts, body); err != nil {
		return fmt.Errorf("open verdicts: %w", err)
	}
	return nil
}

type verdictKey struct {
	subject   int64
	statement string
}

type verdictMoment struct {
	verdictKey
	from time.Time
}

func (r *verdictRow) moment() verdictMoment {
	return verdictMoment{verdictKey{r.Subject, r.Statement}, r.From}
}

// currentVerdicts gives the rows that no later one has closed.
func (t *tx) currentVerdicts(ctx context.Context, subjects []int64) (map[verdictKey]judged, error) {
	rows, err := t.Query(ctx, sqlCurrentVerdicts, subjects)
	if err != nil {
		return nil, fmt.Errorf("read the verdicts in force: %w", err)
	}
	list, err := collectVerdicts(rows)
	if err != nil {
		return nil, fmt.Errorf("read the verdicts in force: %w", err)
	}
	current := make(map[verdictKey]judged, len(list))
	for _, j := range list {
		current[verdictKey{j.Subject, j.Statement}] = j
	}
	return current, nil
}

func collectVerdicts(rows pgx.Rows) ([]judged, error) {
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (judged, error) {
		var j judged
		var label, state, rung, best string
		var hard, soft []int64
		var acceptance *int64
		var lapsed int16
		var to, changes *time.Time
		if err := row.Scan(&j.Subject, &j.Statement, &j.From, &to, &changes, &label, &state, &rung, &best, &j.Met, &j.Required,
			&hard, &soft, &acceptance, &j.PathsTested, &j.PathsKnown, &lapsed); err != nil {
			return j, err
		}
		j.From, j.To, j.ChangesAt = j.From.UTC(), instant(to), instant(changes)
		j.Hard, j.Soft, j.Lapsed = evidenceIDs(hard), evidenceIDs(soft), posture.Lapse(lapsed)
		if acceptance != nil {
			j.Acceptance = acceptanceID(*acceptance)
		}
		return j, parseVerdictWords(&j.Verdict, label, state, rung, best)
	})
}

func parseVerdictWords(v *posture.Verdict, label, state, rung, best string) error {
	var err error
	if v.Label, err = posture.ParseLabel(label); err != nil {
		return err
	}
	if v.State, err = posture.ParseLabel(state); err != nil {
		return err
	}
	if v.Rung, err = posture.ParseRung(rung); err != nil {
		return err
	}
	v.Best, err = posture.ParseRung(best)
	return err
}

func sortedKeys(facts map[int64]*subjectFacts) []int64 {
	keys := make([]int64, 0, len(facts))
	for id := range facts {
		keys = append(keys, id)
	}
	slices.Sort(keys)
	return keys
}

// verdictColumns are the columns that collectVerdicts reads, in its order.
const verdictColumns = `subject_id, statement, recorded_from, nullif(recorded_to, 'infinity'), nullif(changes_at, 'infinity'),
	label::text, state::text, rung::text, best::text, met, required, hard, soft, acceptance_id, paths_tested, paths_known, lapsed`

const (
	sqlCurrentVerdicts = `select ` + verdictColumns + ` from verdict where subject_id = any ($1) and recorded_to = 'infinity'`

	sqlCloseVerdicts = `
		update verdict v set recorded_to = c.recorded_to
		from jsonb_to_recordset($1::jsonb) c (subject_id bigint, statement text, recorded_from timestamptz, recorded_to timestamptz)
		where v.subject_id = c.subject_id and v.statement = c.statement and v.recorded_from = c.recorded_from
			and v.recorded_to = 'infinity'`

	sqlOpenVerdicts = `
		insert into verdict (subject_id, statement, recorded_from, recorded_to, changes_at, label, state, rung, best, met, required,
			hard, soft, acceptance_id, paths_tested, paths_known, lapsed, library, policy, cause)
		select subject_id, statement, recorded_from, coalesce(recorded_to, 'infinity'), coalesce(changes_at, 'infinity'),
			label, state, rung, best, met, required, coalesce(hard, '{}'), coalesce(soft, '{}'), acceptance_id,
			paths_tested, paths_known, lapsed, library, policy, cause
		from jsonb_to_recordset($1::jsonb) r (subject_id bigint, statement text, recorded_from timestamptz, recorded_to timestamptz,
			changes_at timestamptz, label verdict_label, state verdict_label, rung evidence_rung, best evidence_rung, met boolean,
			required boolean, hard bigint[], soft bigint[], acceptance_id bigint, paths_tested integer, paths_known integer,
			lapsed smallint, library text, policy integer, cause text)`
)
