package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"demarc/store/posture"
	"demarc/store/posture/library"
)

// Volume is the size of an organisation: what the measured pages are read at
// (DESIGN.md §10).
type Volume struct {
	Runtimes   int
	Components int
}

// Fill writes an organisation of this size as the owner of the schema, past
// the store and its audit: its verdicts are plausible, not judged. Every
// statement of the library is asked of a unit or a receiver; each has three
// verdict intervals, begun 200, 140 and 80 days before Start, and two records.
// Each runtime uses one receiver of its own and one of the first twenty.
// Runtime n is called runtime-n and belongs to "Owner n mod 200".
func (v Volume) Fill(t testing.TB, db *DB) {
	t.Helper()
	lib, err := library.Load()
	if err != nil {
		t.Fatal(err)
	}
	var unit, receiver []string
	for _, s := range lib.Statements() {
		if s.JudgedAt(posture.Unit.String()) {
			unit = append(unit, s.ID)
		} else {
			receiver = append(receiver, s.ID)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, db.OwnerDSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	args := pgx.NamedArgs{
		"runtimes": v.Runtimes, "components": v.Components, "unit": unit, "receiver": receiver,
		"begin": Start.Add(-200 * posture.Day), "start": Start,
	}
	for _, relation := range volumeTables {
		run(ctx, t, conn, "alter table "+relation+" disable trigger user", nil)
	}
	for _, sql := range volumeRows {
		run(ctx, t, conn, sql, args)
	}
	for _, relation := range volumeTables {
		run(ctx, t, conn, "alter table "+relation+" enable trigger user", nil)
		run(ctx, t, conn, "vacuum analyze "+relation, nil)
	}
}

func run(ctx context.Context, t testing.TB, conn *pgx.Conn, sql string, args pgx.NamedArgs) {
	t.Helper()
	var err error
	if args == nil {
		_, err = conn.Exec(ctx, sql)
	} else {
		_, err = conn.Exec(ctx, sql, args)
	}
	if err != nil {
		t.Fatal(fmt.Errorf("fill: %w\n%s", err, sql))
	}
}

var volumeTables = []string{
	"subject", "runtime", "runtime_version", "component", "component_version", "runtime_link", "target", "requirement_version",
	"evidence", "verdict", "discrepancy", "discrepancy_version", "sighting",
}

// volumeRows fill the tables in order. Subjects 1 to @runtimes are units, the
// following ones receivers; the id of a record is told by its subject and its
// statement's place.
var volumeRows = []string{
	`insert into subject (id, kind, portfolio_id, recorded_at) overriding system value
	select i, case when i <= @runtimes::int then 'unit' else 'receiver' end, 1, @begin
	from generate_series(1, @runtimes::int + @components::int) i`,

	`insert into runtime (id, subject_id, portfolio_id, slug, recorded_at) overriding system value
	select i, i, 1, 'runtime-' || lpad(i::text, 5, '0'), @begin from generate_series(1, @runtimes::int) i`,

	`insert into runtime_version (runtime_id, version, recorded_from, recorded_to, recorded_by, name, purpose, intents, stage, owner,
		risk_owner, data_class, criticality, multi_tenant, profile, retired, retired_because)
	select i, n, @begin::timestamptz + (n - 1) * interval '90 days',
		case when n = 1 then @begin::timestamptz + interval '90 days' else 'infinity' end, 'os:root',
		'Runtime ' || i, 'Answers questions over each customer’s own documents',
		'{"PE": {"purpose": "intended", "text": "from other customers, by the hypervisor"}, "ME": {"purpose": "not_intended", "text": "no memory is kept"}}',
		(array['design', 'evaluation', 'in_use', 'production'])[1 + i % 4], 'Owner ' || i % 200, 'Risk ' || i % 20, 'confidential',
		'normal', true, 'everything', false, ''
	from generate_series(1, @runtimes::int) i, generate_series(1, 2) n`,

	`insert into component (id, subject_id, portfolio_id, slug, recorded_at) overriding system value
	select i, @runtimes::int + i, 1, 'component-' || lpad(i::text, 5, '0'), @begin from generate_series(1, @components::int) i`,

	`insert into component_version (component_id, version, recorded_from, recorded_by, kind, name, purpose, owner, risk_owner, data_class,
		criticality, shared, retired)
	select i, 1, @begin, 'os:root', 'retrieval', 'Component ' || i, '', 'Owner ' || i % 200, 'Risk ' || i % 20, 'confidential', 'normal',
		i <= 20, false
	from generate_series(1, @components::int) i`,

	`insert into runtime_link (runtime_id, component_id, recorded_from, recorded_by)
	select i, 1 + (i - 1) % @components::int, @begin::timestamptz, 'os:root' from generate_series(1, @runtimes::int) i
	union select i, 1 + i % 20, @begin::timestamptz, 'os:root' from generate_series(1, @runtimes::int) i`,

	`insert into target (subject_id, recorded_at, recorded_by, reason, vendor, product, variant, version, image, policy, config, region,
		tools, model, environment)
	select i, @begin::timestamptz + n * interval '50 days', 'os:root', 'nightly build', 'Vendor ' || i % 40, 'Product ' || i % 40, 'microVM',
		'1.' || n, 'sha256:' || md5(i || 'i' || n), 'sha256:' || md5(i || 'p'), 'sha256:' || md5(i || 'c' || n), 'eu-central-1', '', '', ''
	from generate_series(1, @runtimes::int + @components::int) i, generate_series(0, 3) n`,

	`create temporary table volume_statement as
	select i subject_id, s.statement, s.place, (i * 64 + s.place)::bigint key, abs(hashint8(i * 64 + s.place)) h
	from generate_series(1, @runtimes::int + @components::int) i
	join lateral (
		select statement, place::int place from unnest(case when i <= @runtimes::int then @unit::text[] else @receiver::text[] end)
			with ordinality u (statement, place)) s on true`,

	`insert into requirement_version (subject_id, statement, version, recorded_from, recorded_by, wanted, reason, mechanism,
		configuration, rung, owner, paths)
	select subject_id, statement, 1, @begin, 'os:root', 'intended', 'asked by the profile Everything', 'hypervisor', '', 'tested',
		case when h % 7 = 0 then '' else 'Owner ' || subject_id % 200 end, '{}'
	from volume_statement`,

	`insert into evidence (id, subject_id, statement, kind, polarity, observed_at, recorded_at, recorded_by, vendor, product, variant,
		version, image, policy, config, region, tools, model, environment, by_hand, pre_ga, run, case_id, expected, outcome, control_ok,
		advisory, source_role, source_name, method, title, words, url, observed_behaviour, refusal_origin, path, direction, tester, claim)
	overriding system value
	select v.key * 2 + k, v.subject_id, v.statement, case when k = 0 then 'documentation' else 'test' end,
		case when k = 0 or h % 12 <> 0 then 'supports' else 'contradicts' end, o.seen, o.seen, 'os:root', 'Vendor ' || v.subject_id % 40,
		'Product ' || v.subject_id % 40, 'microVM', '1.3', '', '', '', 'eu-central-1', '', '', '', false, false,
		case k when 1 then 'run 1' else '' end, case k when 1 then 'SD-01' else '' end, case k when 1 then 'deny' else '' end,
		case when k = 0 then '' when h % 12 = 0 then 'fail' else 'pass' end, k = 1, '', 'vendor', 'Vendor', 'examine', 'A page',
		'One microVM a session.', '', '', '', '', '', '', ''
	from volume_statement v, generate_series(0, 1) k, lateral (select @begin::timestamptz + (h % 190) * interval '1 day' seen) o`,

	`insert into verdict (subject_id, statement, recorded_from, recorded_to, changes_at, label, state, rung, best, met, required, hard, soft,
		acceptance_id, paths_tested, paths_known, lapsed, library, policy, cause)
	select v.subject_id, v.statement, i.begins, i.ends, case when n < 2 then i.ends
			when l.label in ('contradicted', 'not_provided', 'not_stated') then 'infinity'
			else @start::timestamptz + (1 + h % 180) * interval '1 day' end,
		l.label, l.label, case when l.label in ('claimed', 'documented', 'attested', 'configured', 'tested') then l.label::text else 'not_stated' end::evidence_rung,
		'not_stated', l.label = 'tested', true, case l.label when 'contradicted' then array[v.key * 2 + 1] else '{}' end, '{}',
		null, 0, 0, 0, '2026.11', 1, 'time'
	from volume_statement v, generate_series(0, 2) n,
		lateral (select @begin::timestamptz + n * interval '60 days' begins,
			case when n = 2 then 'infinity' else @begin::timestamptz + (n + 1) * interval '60 days' end ends) i,
		lateral (select ((array['contradicted', 'not_stated', 'suspect', 'not_provided', 'not_stated', 'stale', 'claimed', 'documented',
			'attested', 'configured', 'tested', 'not_applicable'])[1 + (h + case n when 2 then 0 else n + 1 end) % 12])::verdict_label label) l`,

	`insert into discrepancy (id, subject_id, variant, statement, case_id, path, direction, kind, recorded_at) overriding system value
	select key, subject_id, 'microVM', statement, 'SD-01', '', '', 'boundary_failed', @begin from volume_statement where h % 12 = 0`,

	`insert into discrepancy_version (discrepancy_id, version, recorded_from, recorded_by, state, owner, risk_owner, severity, initial, due_at,
		expected, seen)
	select key, 1, @begin, 'os:root', 'open', 'Owner ' || subject_id % 200, 'Risk ' || subject_id % 20, 'high', 'high',
		@start::timestamptz + (h % 60) * interval '1 day', 'refused', 'returned the record'
	from volume_statement where h % 12 = 0`,

	`insert into sighting (discrepancy_id, evidence_id, recorded_at)
	select key, key * 2 + 1, @begin from volume_statement where h % 12 = 0`,
}
