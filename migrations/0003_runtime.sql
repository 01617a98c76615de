-- +goose Up

-- The words of verdicts, worst first: the order of the cell roll-up.
create type verdict_label as enum (
    'contradicted', 'not_provided', 'suspect', 'accepted_risk', 'not_stated', 'stale',
    'claimed', 'documented', 'attested', 'configured', 'tested', 'not_applicable');
create type evidence_rung as enum ('not_stated', 'claimed', 'documented', 'attested', 'configured', 'tested');

-- What is judged: a runtime's isolation unit or a receiving component.
create table subject (
    id           bigint generated always as identity primary key,
    kind         text not null,
    portfolio_id bigint not null references portfolio,
    recorded_at  timestamptz not null,
    constraint subject_kind check (kind in ('unit', 'receiver'))
);
create index subject_portfolio on subject (portfolio_id);

create table runtime (
    id           bigint generated always as identity primary key,
    subject_id   bigint not null references subject constraint runtime_subject unique,
    portfolio_id bigint not null references portfolio,
    slug         text not null constraint runtime_slug unique,
    recorded_at  timestamptz not null,
    constraint runtime_slug_form check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$')
);
create table runtime_version (
    runtime_id      bigint not null references runtime,
    version         integer not null,
    recorded_from   timestamptz not null,
    recorded_to     timestamptz not null default 'infinity',
    recorded_by     text not null,
    name            text not null,
    purpose         text not null,
    intents         jsonb not null,
    stage           text not null,
    owner           text not null,
    risk_owner      text not null,
    data_class      text not null,
    criticality     text not null,
    multi_tenant    boolean not null,
    profile         text not null,
    retired         boolean not null,
    retired_because text not null,
    primary key (runtime_id, version),
    constraint runtime_stage check (stage in ('design', 'evaluation', 'in_use', 'production')),
    constraint runtime_criticality check (criticality in ('normal', 'high')),
    constraint runtime_data_class check (data_class in ('', 'public', 'synthetic', 'internal', 'confidential', 'restricted'))
);
create unique index runtime_current on runtime_version (runtime_id) where recorded_to = 'infinity';

create table component (
    id           bigint generated always as identity primary key,
    subject_id   bigint not null references subject constraint component_subject unique,
    portfolio_id bigint not null references portfolio,
    slug         text not null constraint component_slug unique,
    recorded_at  timestamptz not null,
    constraint component_slug_form check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$')
);
create table component_version (
    component_id  bigint not null references component,
    version       integer not null,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    recorded_by   text not null,
    kind          text not null,
    name          text not null,
    purpose       text not null,
    owner         text not null,
    risk_owner    text not null,
    data_class    text not null,
    criticality   text not null,
    shared        boolean not null,
    retired       boolean not null,
    primary key (component_id, version),
    constraint component_kind check (kind in ('gateway', 'model_provider', 'retrieval', 'identity', 'management',
        'storage', 'logging', 'tool_server', 'egress', 'other')),
    constraint component_criticality check (criticality in ('normal', 'high')),
    constraint component_data_class check (data_class in ('', 'public', 'synthetic', 'internal', 'confidential', 'restricted'))
);
create unique index component_current on component_version (component_id) where recorded_to = 'infinity';

-- Which receivers the sessions of a runtime use, over time.
create table runtime_link (
    runtime_id    bigint not null references runtime,
    component_id  bigint not null references component,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    recorded_by   text not null,
    primary key (runtime_id, component_id, recorded_from)
);
create unique index runtime_link_current on runtime_link (runtime_id, component_id) where recorded_to = 'infinity';
create index runtime_link_component on runtime_link (component_id);

-- Identities of a subject, one row at every change.
create table target (
    id          bigint generated always as identity primary key,
    subject_id  bigint not null references subject,
    recorded_at timestamptz not null,
    recorded_by text not null,
    reason      text not null,
    vendor      text not null,
    product     text not null,
    variant     text not null,
    version     text not null,
    image       text not null,
    policy      text not null,
    config      text not null,
    region      text not null,
    tools       text not null,
    model       text not null,
    environment text not null,
    constraint target_region check (region <> 'any')
);
create index target_subject on target (subject_id, recorded_at desc);

create table requirement_version (
    subject_id    bigint not null references subject,
    statement     text not null,
    version       integer not null,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    recorded_by   text not null,
    wanted        text not null,
    reason        text not null,
    mechanism     text not null,
    configuration text not null,
    rung          evidence_rung not null,
    owner         text not null,
    paths         text[] not null,
    primary key (subject_id, statement, version),
    constraint requirement_wanted check (wanted in ('undecided', 'intended', 'not_intended'))
);
create unique index requirement_current on requirement_version (subject_id, statement) where recorded_to = 'infinity';

-- +goose StatementBegin
create function scope_is_all() returns boolean language sql stable parallel safe
return current_setting('demarc.scope', true) = '*';
-- +goose StatementEnd

alter table subject enable row level security;
create policy subject_all on subject using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
alter table runtime enable row level security;
create policy runtime_all on runtime using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
alter table component enable row level security;
create policy component_all on component using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
-- Rows below a noun follow it. The first half spares the common case, a reader
-- of all portfolios, a look-up a row.
alter table runtime_version enable row level security;
create policy runtime_version_all on runtime_version
    using ((select scope_is_all()) or runtime_id in (select id from runtime))
    with check (runtime_id in (select id from runtime));
alter table component_version enable row level security;
create policy component_version_all on component_version
    using ((select scope_is_all()) or component_id in (select id from component))
    with check (component_id in (select id from component));
alter table runtime_link enable row level security;
create policy runtime_link_all on runtime_link
    using ((select scope_is_all()) or runtime_id in (select id from runtime))
    with check (runtime_id in (select id from runtime) and component_id in (select id from component));
alter table target enable row level security;
create policy target_all on target
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));
alter table requirement_version enable row level security;
create policy requirement_version_all on requirement_version
    using ((select scope_is_all()) or subject_id in (select id from subject))
    with check (subject_id in (select id from subject));

grant select, insert on subject, runtime, runtime_version, component, component_version, runtime_link, target,
    requirement_version to demarc_app;
grant update (recorded_to) on runtime_version, component_version, runtime_link, requirement_version to demarc_app;

select audit_table('subject');
select audit_table('runtime');
select audit_table('runtime_version');
select audit_table('component');
select audit_table('component_version');
select audit_table('runtime_link');
select audit_table('target');
select audit_table('requirement_version');
