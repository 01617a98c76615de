-- +goose Up

-- The roles demarc_owner, demarc_app and demarc_login exist before the first
-- migration: the launcher, or the operator of an outside database, makes them.
-- demarc_owner runs this file and owns everything. demarc_app is entered by
-- SET LOCAL ROLE in every transaction; it owns nothing and cannot bypass
-- row-level security.
grant usage on schema public to demarc_app, demarc_login;

-- Who acts, under which request and with which portfolios in reach is set for
-- each transaction. A transaction that sets no scope sees no row.
-- +goose StatementBegin
create function in_scope(portfolio bigint) returns boolean
language sql stable parallel safe
return current_setting('demarc.scope', true) = '*'
    or portfolio = any (string_to_array(nullif(current_setting('demarc.scope', true), '*'), ',')::bigint[]);
-- +goose StatementEnd

create table audit (
    id        bigint generated always as identity primary key,
    at        timestamptz not null default clock_timestamp(),
    txid      xid8 not null default pg_current_xact_id(),
    actor     text not null,
    request   text not null,
    relation  text not null,
    op        text not null,
    row_count integer not null,
    rows      jsonb not null,
    digest    bytea not null,
    seal      bigint,
    constraint audit_op check (op in ('insert', 'update', 'delete', 'import'))
);
create index audit_unsealed on audit (id) where seal is null;
create index audit_relation on audit (relation, id);
create index audit_actor on audit (actor, id);
create index audit_request on audit (request);

create table audit_seal (
    seq       bigint primary key,
    at        timestamptz not null default clock_timestamp(),
    row_count bigint not null,
    first_id  bigint not null,
    last_id   bigint not null,
    previous  bytea not null,
    digest    bytea not null
);

-- The digest covers every column that a reader could be misled by.
-- +goose StatementBegin
create function audit_digest(at timestamptz, actor text, request text, relation text, op text, row_count integer, rows jsonb)
returns bytea language sql immutable
return sha256(convert_to(concat_ws(E'\x1f', extract(epoch from at)::text, actor, request, relation, op, row_count::text, rows::text), 'UTF8'));
-- +goose StatementEnd

-- +goose StatementBegin
create function audit_write(relation text, op text, row_count integer, rows jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    moment  timestamptz := clock_timestamp();
    actor   text := coalesce(nullif(current_setting('demarc.person', true), ''), 'database:' || session_user);
    request text := coalesce(current_setting('demarc.request', true), '');
begin
    insert into audit (at, actor, request, relation, op, row_count, rows, digest)
    values (moment, actor, request, relation, op, row_count, rows,
            audit_digest(moment, actor, request, relation, op, row_count, rows));
end $$;
-- +goose StatementEnd
revoke execute on function audit_write(text, text, integer, jsonb) from public;

-- Statement-level audit: one row for each statement that changed a table,
-- with what it wrote. Columns named as trigger arguments never leave their
-- table: they are secrets or bytes.
-- +goose StatementBegin
create function audit_statement() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    before jsonb;
    after  jsonb;
    n      integer := 0;
begin
    if tg_op <> 'INSERT' then
        select coalesce(jsonb_agg(to_jsonb(o) - coalesce(tg_argv, '{}')), '[]'), count(*) into before, n from old_rows o;
    end if;
    if tg_op <> 'DELETE' then
        select coalesce(jsonb_agg(to_jsonb(w) - coalesce(tg_argv, '{}')), '[]'), count(*) into after, n from new_rows w;
    end if;
    if n > 0 then
        perform audit_write(tg_table_name, lower(tg_op), n, jsonb_strip_nulls(jsonb_build_object('old', before, 'new', after)));
    end if;
    return null;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create function audit_table(relation regclass, variadic hidden text[] default '{}') returns void
language plpgsql as $$
declare
    args text := (select coalesce(string_agg(quote_literal(h), ', '), '') from unnest(hidden) h);
begin
    execute format('create trigger audit_insert after insert on %s referencing new table as new_rows for each statement execute function audit_statement(%s)', relation, args);
    execute format('create trigger audit_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function audit_statement(%s)', relation, args);
    execute format('create trigger audit_delete after delete on %s referencing old table as old_rows for each statement execute function audit_statement(%s)', relation, args);
end $$;
-- +goose StatementEnd
revoke execute on function audit_table(regclass, text[]) from public;

-- Seals chain committed rows in batches: SHA-256 over the previous seal and
-- the digests of the rows in order. A row of a transaction that may still be
-- running is left for the next seal. Gives the number of rows sealed.
-- +goose StatementBegin
create function seal_audit() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    last   audit_seal;
    n      bigint;
    low    bigint;
    high   bigint;
    chain  bytea;
begin
    perform pg_advisory_xact_lock(hashtext('demarc.seal'));
    select * into last from audit_seal order by seq desc limit 1;
    create temporary table if not exists seal_batch (id bigint) on commit delete rows;
    insert into seal_batch
    select id from audit where seal is null and txid < pg_snapshot_xmin(pg_current_snapshot()) order by id limit 10000;
    select count(*), min(a.id), max(a.id), sha256(coalesce(last.digest, '\x') || string_agg(a.digest, '\x' order by a.id))
      into n, low, high, chain
      from audit a join seal_batch b on b.id = a.id;
    if n = 0 then
        return 0;
    end if;
    insert into audit_seal (seq, row_count, first_id, last_id, previous, digest)
    values (coalesce(last.seq, 0) + 1, n, low, high, coalesce(last.digest, '\x'), chain);
    update audit a set seal = coalesce(last.seq, 0) + 1 from seal_batch b where b.id = a.id;
    return n;
end $$;
-- +goose StatementEnd
grant execute on function seal_audit() to demarc_app;
revoke execute on function seal_audit() from public;

alter table audit enable row level security;
create policy audit_read on audit for select using (current_setting('demarc.scope', true) = '*');
alter table audit_seal enable row level security;
create policy audit_seal_read on audit_seal for select using (true);
grant select on audit, audit_seal to demarc_app;

create table portfolio (
    id          bigint generated always as identity primary key,
    slug        text not null constraint portfolio_slug unique,
    name        text not null,
    sample      boolean not null default false,
    recorded_at timestamptz not null default now(),
    constraint portfolio_slug_form check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$')
);
alter table portfolio enable row level security;
create policy portfolio_read on portfolio for select using (in_scope(id));
create policy portfolio_write on portfolio for insert with check (current_setting('demarc.scope', true) = '*');
grant select, insert on portfolio to demarc_app;
select audit_table('portfolio');
insert into portfolio (slug, name) values ('default', 'Default');

-- Bytes by digest, in gzip-compressed parts of at most 1 MiB unpacked.
create table artefact (
    portfolio_id bigint not null references portfolio,
    sha256       bytea not null,
    size         bigint not null,
    media        text not null,
    name         text not null,
    recorded_at  timestamptz not null,
    recorded_by  text not null,
    primary key (portfolio_id, sha256),
    constraint artefact_sha256 check (length(sha256) = 32),
    constraint artefact_size check (size >= 0)
);
create table artefact_chunk (
    portfolio_id bigint not null,
    sha256       bytea not null,
    seq          integer not null,
    body         bytea not null,
    primary key (portfolio_id, sha256, seq),
    foreign key (portfolio_id, sha256) references artefact
);
alter table artefact_chunk alter column body set storage external;
alter table artefact enable row level security;
create policy artefact_all on artefact using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
alter table artefact_chunk enable row level security;
create policy artefact_chunk_all on artefact_chunk using (in_scope(portfolio_id)) with check (in_scope(portfolio_id));
grant select, insert on artefact, artefact_chunk to demarc_app;
select audit_table('artefact');
select audit_table('artefact_chunk', 'body');

-- The policy: windows in days, caps and due days. A change is a new row.
create table policy (
    version     integer primary key,
    recorded_at timestamptz not null,
    recorded_by text not null,
    body        jsonb not null
);
alter table policy enable row level security;
create policy policy_read on policy for select using (true);
create policy policy_write on policy for insert with check (current_setting('demarc.scope', true) = '*');
grant select, insert on policy to demarc_app;
select audit_table('policy');
insert into policy values (1, '-infinity', 'demarc', '{"windows": {
    "statement": 90, "documentation": 90, "documentation_pre_ga": 30, "attestation": 365,
    "configuration": 7, "configuration_high": 3, "configuration_by_hand": 90, "test": 180, "test_high": 90}}');
