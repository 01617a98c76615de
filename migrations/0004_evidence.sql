-- +goose Up

-- A run is one import of one file. The received bytes are known by their
-- digest alone; the redacted copy is kept as an artefact.
create table run (
    id            bigint generated always as identity primary key,
    portfolio_id  bigint not null references portfolio,
    runtime_id    bigint references runtime,
    file          text not null,
    format        text not null,
    sha256        bytea not null,
    stored_sha256 bytea not null,
    mapping       text not null,
    attributed    boolean not null,
    identity      jsonb not null,
    identity_end  jsonb not null,
    recorded_at   timestamptz not null,
    recorded_by   text not null,
    receipt       jsonb not null,
    constraint run_bytes unique (portfolio_id, sha256)
);
create index run_recent on run (recorded_at desc, id desc);
create index run_runtime on run (runtime_id, id desc);

-- Results as read, a partition a run. The application may insert into the
-- run's own partition by COPY (which row-level security does not allow on the
-- parent) and reads through the parent only.
create table result (
    run_id             bigint not null,
    seq                integer not null,
    line               integer not null,
    suite              text not null,
    class              text not null,
    name               text not null,
    outcome            text not null,
    message            text not null,
    duration_ns        bigint not null,
    observed_at        timestamptz not null,
    zone_assumed       boolean not null,
    statement          text not null,
    scenario           text not null,
    run_name           text not null,
    case_id            text not null,
    path               text not null,
    direction          text not null,
    expected           text not null,
    control_ok         boolean not null,
    observed_behaviour text not null,
    refusal_origin     text not null,
    tester             text not null,
    mapped_by          text not null,
    receiver           text not null,
    identity           jsonb not null,
    text               text not null,
    cut                bigint not null,
    primary key (run_id, seq),
    constraint result_outcome check (outcome in ('pass', 'fail', 'error', 'skipped', 'inconclusive', 'incomplete')),
    constraint result_expected check (expected in ('', 'permit', 'deny'))
) partition by list (run_id);

-- +goose StatementBegin
create function open_run(run bigint) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    execute format('create table result_%s partition of result for values in (%s)', run, run);
    execute format('grant insert on result_%s to demarc_app', run);
    return format('result_%s', run);
end $$;
-- +goose StatementEnd
revoke execute on function open_run(bigint) from public;
grant execute on function open_run(bigint) to demarc_app;

-- Results are audited once a run: how many, and the digest over them in order.
-- The partition takes no further rows.
-- +goose StatementBegin
create function close_run(run bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    n   integer;
    sum bytea;
begin
    execute format('revoke insert on result_%s from demarc_app', run);
    execute format('select count(*), coalesce(sha256(string_agg(sha256(convert_to(r::text, ''UTF8'')), ''\x'' order by seq)), ''\x'') from result_%s r', run)
       into n, sum;
    perform audit_write('result', 'import', n, jsonb_build_object('run', run, 'digest', encode(sum, 'hex')));
end $$;
-- +goose StatementEnd
revoke execute on function close_run(bigint) from public;
grant execute on function close_run(bigint) to demarc_app;

create table evidence (
    id                 bigint generated always as identity primary key,
    subject_id         bigint not null references subject,
    statement          text not null,
    kind               text not null,
    polarity           text not null,
    observed_at        timestamptz not null,
    recorded_at        timestamptz not null,
    recorded_by        text not null,
    valid_until        timestamptz,
    vendor             text not null,
    product            text not null,
    variant            text not null,
    version            text not null,
    image              text not null,
    policy             text not null,
    config             text not null,
    region             text not null,
    tools              text not null,
    model              text not null,
    environment        text not null,
    by_hand            boolean not null,
    pre_ga             boolean not null,
    run                text not null,
    case_id            text not null,
    expected           text not null,
    outcome            text not null,
    control_ok         boolean not null,
    advisory           text not null,
    source_role        text not null,
    source_name        text not null,
    method             text not null,
    title              text not null,
    words              text not null,
    url                text not null,
    artefact           bytea,
    observed_behaviour text not null,
    refusal_origin     text not null,
    path               text not null,
    direction          text not null,
    tester             text not null,
    claim              text not null,
    run_id             bigint references run,
    occurrence         integer not null default 1,
    constraint evidence_kind check (kind in ('statement', 'documentation', 'attestation', 'configuration', 'test', 'incident')),
    constraint evidence_polarity check (polarity in ('none', 'supports', 'contradicts')),
    constraint evidence_clocks check (observed_at <= recorded_at),
    constraint evidence_expected check (expected in ('', 'permit', 'deny')),
    constraint evidence_outcome check (outcome in ('', 'pass', 'fail', 'error', 'skipped', 'inconclusive', 'incomplete')),
    constraint evidence_advisory check (advisory in ('', 'affected', 'under_investigation', 'fixed', 'not_affected')),
    constraint evidence_region check (region <> 'any' or kind not in ('test', 'configuration')),
    constraint evidence_test check (kind <> 'test' or (outcome <> '' and expected <> ''))
);
create index evidence_subject on evidence (subject_id, statement, id);
create index evidence_address on evidence (subject_id, statement, url, id) where url <> '';
create index evidence_run on evidence (run_id) where run_id is not null;
create unique index evidence_once on evidence (run_id, subject_id, statement, case_id, path, direction, expected, run, occurrence)
    where run_id is not null;

create table evidence_withdrawal (
    evidence_id bigint primary key references evidence,
    recorded_at timestamptz not null,
    recorded_by text not null,
    reason      text not null
);

create table closure (
    id            bigint generated always as identity primary key,
    subject_id    bigint not null references subject,
    evidence_id   bigint not null references evidence,
    kind          text not null,
    identity      jsonb not null,
    recorded_at   timestamptz not null,
    recorded_by   text not null,
    verified_by   bigint[] not null,
    justification text not null,
    reason        text not null,
    fix           text not null,
    constraint closure_kind check (kind in ('fixed_verified', 'not_applicable', 'test_invalid'))
);
create index closure_subject on closure (subject_id);
create index closure_evidence on closure (evidence_id);

create table acceptance (
    id          bigint generated always as identity primary key,
    subject_id  bigint not null references subject,
    statement   text not null,
    covers      bigint[] not null,
    shortfall   boolean not null,
    identity    jsonb not null,
    recorded_at timestamptz not null,
    recorded_by text not null,
    expires_at  timestamptz not null,
    review_at   timestamptz not null,
    severity    text not null,
    condition   text not null,
    constraint acceptance_severity check (severity in ('very_low', 'low', 'moderate', 'high', 'very_high')),
    constraint acceptance_span check (expires_at > recorded_at)
);
create index acceptance_subject on acceptance (subject_id, statement);

create table ruling (
    id          bigint generated always as identity primary key,
    subject_id  bigint not null references subject,
    statement   text not null,
    identity    jsonb not null,
    recorded_at timestamptz not null,
    recorded_by text not null,
    expires_at  timestamptz not null default 'infinity',
    reason      text not null
);
create index ruling_subject on ruling (subject_id, statement);

-- Revocation of a closure, an acceptance or a ruling: a row of its own.
create table revocation (
    id          bigint generated always as identity primary key,
    subject_id  bigint not null references subject,
    closure_id    bigint references closure constraint revocation_closure unique,
    acceptance_id bigint references acceptance constraint revocation_acceptance unique,
    ruling_id     bigint references ruling constraint revocation_ruling unique,
    recorded_at timestamptz not null,
    recorded_by text not null,
    reason      text not null,
    constraint revocation_one check (num_nonnulls(closure_id, acceptance_id, ruling_id) = 1)
);
create index revocation_subject on revocation (subject_id);

-- Verdicts as intervals: written in the transaction of the fact that moved
-- them, closed by the next, never overwritten.
create table verdict (
    subject_id    bigint not null references subject,
    statement     text not null,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    changes_at    timestamptz not null default 'infinity',
    label         verdict_label not null,
    state         verdict_label not null,
    rung          evidence_rung not null,
    best          evidence_rung not null,
    met           boolean not null,
    required      boolean not null,
    hard          bigint[] not null,
    soft          bigint[] not null,
    acceptance_id bigint,
    paths_tested  integer not null,
    paths_known   integer not null,
    lapsed        smallint not null,
    library       text not null,
    policy        integer not null,
    cause         text not null,
    primary key (subject_id, statement, recorded_from)
);
create unique index verdict_current on verdict (subject_id, statement)
    include (label, met, required, changes_at, rung) where recorded_to = 'infinity';
create index verdict_due on verdict (changes_at) where recorded_to = 'infinity' and changes_at < 'infinity';
create index verdict_recent on verdict (recorded_from desc);

create table discrepancy (
    id          bigint generated always as identity primary key,
    subject_id  bigint not null references subject,
    variant     text not null,
    statement   text not null,
    case_id     text not null,
    path        text not null,
    direction   text not null,
    kind        text not null,
    recorded_at timestamptz not null,
    constraint discrepancy_identity unique (subject_id, variant, statement, case_id, path, direction, kind),
    constraint discrepancy_kind check (kind in ('boundary_failed', 'evidence_missing'))
);
create table discrepancy_version (
    discrepancy_id bigint not null references discrepancy,
    version        integer not null,
    recorded_from  timestamptz not null,
    recorded_to    timestamptz not null default 'infinity',
    recorded_by    text not null,
    state          text not null,
    owner          text not null,
    risk_owner     text not null,
    severity       text not null,
    initial        text not null,
    due_at         timestamptz not null,
    expected       text not null,
    seen           text not null,
    primary key (discrepancy_id, version),
    constraint discrepancy_state check (state in ('open', 'investigating', 'remediating', 'retest_due', 'closed',
        'deviation_requested', 'deviation_approved')),
    constraint discrepancy_severity check (severity in ('very_low', 'low', 'moderate', 'high', 'very_high'))
);
create unique index discrepancy_current on discrepancy_version (discrepancy_id) where recorded_to = 'infinity';
create table sighting (
    discrepancy_id bigint not null references discrepancy,
    evidence_id    bigint not null references evidence,
    target_id      bigint references target,
    recorded_at    timestamptz not null,
    primary key (discrepancy_id, evidence_id)
);
create index sighting_evidence on sighting (evidence_id);

alter table run enable row level security;
create policy run_all on run using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
alter table result enable row level security;
create policy result_read on result for select
    using ((select scope_is_all()) or run_id in (select id from run));
alter table evidence enable row level security;
create policy evidence_all on evidence
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check ((select scope_is_all()) or subject_id in (select id from subject));
alter table evidence_withdrawal enable row level security;
create policy evidence_withdrawal_all on evidence_withdrawal
    using ((select scope_is_all()) or evidence_id in (select id from evidence))
    with check (evidence_id in (select id from evidence));
alter table closure enable row level security;
create policy closure_all on closure
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table acceptance enable row level security;
create policy acceptance_all on acceptance
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table ruling enable row level security;
create policy ruling_all on ruling
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table revocation enable row level security;
create policy revocation_all on revocation
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table verdict enable row level security;
create policy verdict_all on verdict
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check ((select scope_is_all()) or subject_id in (select id from subject));
alter table discrepancy enable row level security;
create policy discrepancy_all on discrepancy
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table discrepancy_version enable row level security;
create policy discrepancy_version_all on discrepancy_version
    using ((select scope_is_all()) or discrepancy_id in (select id from discrepancy))
    with check (discrepancy_id in (select id from discrepancy));
alter table sighting enable row level security;
create policy sighting_all on sighting
    using ((select scope_is_all()) or discrepancy_id in (select id from discrepancy))
    with check (discrepancy_id in (select id from discrepancy));

grant select, insert on run, evidence, evidence_withdrawal, closure, acceptance, ruling, revocation, verdict,
    discrepancy, discrepancy_version, sighting to demarc_app;
grant select on result to demarc_app;
grant update (recorded_to) on verdict, discrepancy_version to demarc_app;

select audit_table('run');
select audit_table('evidence');
select audit_table('evidence_withdrawal');
select audit_table('closure');
select audit_table('acceptance');
select audit_table('ruling');
select audit_table('revocation');
select audit_table('verdict');
select audit_table('discrepancy');
select audit_table('discrepancy_version');
select audit_table('sighting');
