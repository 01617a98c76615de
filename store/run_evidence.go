package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
)

// mappedGroup are the mapped results of a run that name one statement and one
// receiver, or the unit where they name none.
type mappedGroup struct {
	Statement string           `json:"statement"`
	Receiver  string           `json:"receiver"`
	Subject   int64            `json:"subject_id"`
	Identity  posture.Identity `json:"-"`
	// Base is what the file states of the subject beside each result's own.
	Base map[string]string `json:"base"`

	count int
	line  int
}

// attribute turns the mapped results of an attributed run into evidence, in one
// statement, and brings verdicts and discrepancies up to them.
func (m *importing) attribute(ctx context.Context) error {
	groups, err := m.groups(ctx)
	if err != nil {
		return err
	}
	if m.apart != "" {
		return m.unattributed(ctx)
	}
	if groups, err = m.subjectsOf(ctx, groups); err != nil || len(groups) == 0 {
		return err
	}
	var subjects []int64
	for _, g := range groups {
		subjects = append(subjects, g.Subject)
	}
	slices.Sort(subjects)
	subjects = slices.Compact(subjects)
	if err := m.lockSubjects(ctx, subjects); err != nil {
		return err
	}
	if err := m.insertImported(ctx, groups); err != nil {
		return err
	}
	if m.moved, err = m.rejudge(ctx, subjects, fmt.Sprintf("run %d", m.run)); err != nil {
		return err
	}
	var failed []int64
	if err := m.QueryRow(ctx, sqlFailedImported, m.run).Scan(&failed); err != nil {
		return fmt.Errorf("read the failures of the run: %w", err)
	}
	if m.opened, err = m.openDiscrepancies(ctx, failed); err != nil {
		return err
	}
	if err := m.reviewOverBlocks(ctx, subjects); err != nil {
		return err
	}
	return m.tally(ctx)
}

func (m *importing) groups(ctx context.Context) ([]mappedGroup, error) {
	rows, err := m.Query(ctx, sqlMappedGroups, m.run)
	if err != nil {
		return nil, fmt.Errorf("group the results: %w", err)
	}
	groups, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (g mappedGroup, err error) {
		err = row.Scan(&g.Statement, &g.Receiver, &g.count, &g.line)
		return g, err
	})
	if err != nil {
		return nil, fmt.Errorf("group the results: %w", err)
	}
	return groups, nil
}

// subjectsOf finds the subject of each group and what the file states of it. A
// receiver's identity is its own: the runtime's never enters it (model.md
// §2.1). Groups without a subject are told as problems and left out.
func (m *importing) subjectsOf(ctx context.Context, groups []mappedGroup) ([]mappedGroup, error) {
	var slugs []string
	for _, g := range groups {
		slugs = append(slugs, g.Receiver)
	}
	rows, err := m.Query(ctx, `select slug, subject_id from component where slug = any ($1)`, slugs)
	if err != nil {
		return nil, fmt.Errorf("find the receivers: %w", err)
	}
	receivers := map[string]int64{}
	var slug string
	var subject int64
	if _, err := pgx.ForEachRow(rows, []any{&slug, &subject}, func() error {
		receivers[slug] = subject
		return nil
	}); err != nil {
		return nil, fmt.Errorf("find the receivers: %w", err)
	}
	lib, err := loadShelf()
	if err != nil {
		return nil, err
	}
	var found []mappedGroup
	for _, g := range groups {
		_, listed := lib.Statement(g.Statement)
		kind := posture.Receiver
		id, known := receivers[g.Receiver]
		identity := m.in.Receivers[g.Receiver]
		if g.Receiver == "" {
			kind, id, known, identity = posture.Unit, m.unit.ID, true, posture.Stated(m.in.Identity, m.in.IdentityEnd)
		}
		switch {
		case !listed:
			m.problem(g, g.Statement+" is no statement of the library: %s kept, none counted")
		case !known:
			m.problem(g, "receiver "+g.Receiver+" is no component in your portfolios: %s kept, none counted")
		case !posture.JudgedOn(g.Statement, kind) && kind == posture.Unit:
			m.problem(g, g.Statement+" is judged at a receiver and the record names none: %s kept, none counted")
		case !posture.JudgedOn(g.Statement, kind):
			m.problem(g, g.Statement+" is judged on the isolation unit, not at "+g.Receiver+": %s kept, none counted")
		default:
			g.Subject, g.Base = id, identity.Map()
			found = append(found, g)
		}
	}
	return found, nil
}

func (m *importing) problem(g mappedGroup, what string) {
	n := "1 result"
	if g.count != 1 {
		n = fmt.Sprintf("%d results", g.count)
	}
	m.problems = append(m.problems, posture.Problem{Line: g.line, What: fmt.Sprintf(what, n), Severity: "warning"})
}

// insertImported inserts the evidence. On which side a result stands is asked
// of the judge's own rules and handed in.
func (m *importing) insertImported(ctx context.Context, groups []mappedGroup) error {
	body, err := json.Marshal(groups)
	if err != nil {
		return fmt.Errorf("record the results: %w", err)
	}
	type side struct {
		Expected string `json:"expected"`
		Outcome  string `json:"outcome"`
		Control  bool   `json:"control_ok"`
		Polarity string `json:"polarity"`
	}
	var sides []side
	for _, expected := range []posture.Expected{posture.Permit, posture.Deny} {
		for outcome := posture.Pass; outcome <= posture.Incomplete; outcome++ {
			for _, control := range []bool{false, true} {
				e := posture.Evidence{Kind: posture.KindTest, Expected: expected, Outcome: outcome, ControlOK: control}
				sides = append(sides, side{expected.String(), outcome.String(), control, e.Side().String()})
			}
		}
	}
	table, err := json.Marshal(sides)
	if err != nil {
		return fmt.Errorf("record the results: %w", err)
	}
	if _, err := m.Exec(ctx, sqlInsertImported, pgx.NamedArgs{
		"run": m.run, "groups": body, "sides": table, "now": m.now, "actor": m.access.Actor,
	}); err != nil {
		return fmt.Errorf("record the results: %w", err)
	}
	return nil
}

// tally counts the run's evidence by what it says.
func (m *importing) tally(ctx context.Context) error {
	rows, err := m.Query(ctx, sqlTallies, m.run)
	if err != nil {
		return fmt.Errorf("count the evidence: %w", err)
	}
	m.tallies, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (tally, error) {
		var c tally
		var kind, expected, outcome string
		var facets []string
		if err := row.Scan(&c.Subject.ID, &kind, &c.Subject.Slug, &c.Statement, &expected, &outcome, &c.Control, &facets, &c.Count,
			&c.first, &c.newest, &c.Directions); err != nil {
			return c, err
		}
		c.Taken, c.newest = identityFrom(facets), c.newest.UTC()
		var err error
		if c.Subject.Kind, err = posture.ParseSubjectKind(kind); err != nil {
			return c, err
		}
		if c.Expected, err = posture.ParseExpected(expected); err != nil {
			return c, err
		}
		c.Outcome, err = posture.ParseOutcome(outcome)
		return c, err
	})
	if err != nil {
		return fmt.Errorf("count the evidence: %w", err)
	}
	return nil
}

// tally is a count with a record that stands for it.
type tally struct {
	posture.Tally
	first  int64
	newest time.Time
}

func (c *tally) evidence() posture.Evidence {
	return posture.Evidence{
		ID: evidenceID(c.first), Kind: posture.KindTest, Statement: c.Statement, Identity: c.Taken, ObservedAt: c.newest,
		Expected: c.Expected, Outcome: c.Outcome, ControlOK: c.Control,
	}
}

// unattributed lists the failures of a run that reaches no cell.
func (m *importing) unattributed(ctx context.Context) error {
	rows, err := m.Query(ctx, sqlUnattributedFailures, m.run, someRows)
	if err != nil {
		return fmt.Errorf("read the failures of the run: %w", err)
	}
	var line, seq int
	var statement, expected, name, receiver string
	_, err = pgx.ForEachRow(rows, []any{&line, &seq, &statement, &expected, &name, &receiver}, func() error {
		what := strings.TrimSpace(expected+" failed") + " for " + statement
		if receiver != "" {
			what += " at " + receiver
		}
		m.problems = append(m.problems, posture.Problem{
			Line: line, Record: seq, What: what + " (" + name + "): unattributed, reaches no cell", Severity: "warning",
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the failures of the run: %w", err)
	}
	return nil
}

const (
	sqlMappedGroups = `
		select statement, receiver, count(*), min(line) from result
		where run_id = $1 and statement <> '' group by statement, receiver order by min(seq)`

	sqlInsertImported = `
		insert into evidence (subject_id, statement, kind, polarity, observed_at, recorded_at, recorded_by,
			vendor, product, variant, version, image, policy, config, region, tools, model, environment,
			by_hand, pre_ga, run, case_id, expected, outcome, control_ok, advisory, source_role, source_name, method, title, words,
			url, observed_behaviour, refusal_origin, path, direction, tester, claim, run_id, occurrence)
		select x.subject_id, x.statement, 'test', s.polarity, x.observed_at, @now, @actor,
			coalesce(x.taken ->> 'vendor', ''), coalesce(x.taken ->> 'product', ''), coalesce(x.taken ->> 'variant', ''),
			coalesce(x.taken ->> 'version', ''), coalesce(x.taken ->> 'image', ''), coalesce(x.taken ->> 'policy', ''),
			coalesce(x.taken ->> 'config', ''), coalesce(x.taken ->> 'region', ''), coalesce(x.taken ->> 'tools', ''),
			coalesce(x.taken ->> 'model', ''), coalesce(x.taken ->> 'environment', ''),
			false, false, x.run, x.case_id, x.expected, x.outcome, x.control_ok, '', 'customer', '', 'test', left(x.name, 200),
			left(x.message, 8000), '', x.observed_behaviour, x.refusal_origin, x.path, x.direction, x.tester, '', @run,
			row_number() over (partition by x.subject_id, x.statement, x.case_id, x.path, x.direction, x.expected, x.run order by x.seq)
		from (
			select r.*, g.subject_id, g.base || r.identity taken, concat_ws(':', @run::bigint::text, nullif(r.run_name, '')) run
			from result r
			join jsonb_to_recordset(@groups::jsonb) g (statement text, receiver text, subject_id bigint, base jsonb)
				on g.statement = r.statement and g.receiver = r.receiver
			where r.run_id = @run and r.expected <> '') x
		join jsonb_to_recordset(@sides::jsonb) s (expected text, outcome text, control_ok boolean, polarity text)
			on s.expected = x.expected and s.outcome = x.outcome and s.control_ok = x.control_ok
		order by x.seq`

	sqlFailedImported = `select coalesce(array_agg(id order by id), '{}') from evidence where run_id = $1 and outcome = 'fail'`

	sqlTallies = `
		select e.subject_id, s.kind, coalesce(r.slug, c.slug), e.statement, e.expected, e.outcome, e.control_ok, e.identity,
			count(*), min(e.id), max(e.observed_at), coalesce(array_agg(distinct e.direction) filter (where e.direction <> ''), '{}')
		from (select subject_id, statement, expected, outcome, control_ok, ` + identityArray + ` identity, id, observed_at, direction
			from evidence where run_id = $1) e
		join subject s on s.id = e.subject_id
		left join runtime r on r.subject_id = s.id left join component c on c.subject_id = s.id
		group by e.subject_id, s.kind, coalesce(r.slug, c.slug), e.statement, e.expected, e.outcome, e.control_ok, e.identity
		order by min(e.id)`

	sqlUnattributedFailures = `
		select line, seq, statement, expected, name, receiver from result
		where run_id = $1 and outcome = 'fail' and statement <> '' order by seq limit $2`
)
