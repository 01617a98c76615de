-- +goose Up

-- What a run came to is known when its last result was taken, after the run's
-- own row: results are read through policies that look for that row. Both are
-- written in the one transaction of the import.
create table run_receipt (
    run_id        bigint primary key references run on delete cascade,
    stored_sha256 bytea not null,
    receipt       jsonb not null,
    constraint run_receipt_stored check (length(stored_sha256) = 32)
);
alter table run drop column stored_sha256, drop column receipt;
alter table run_receipt enable row level security;
create policy run_receipt_all on run_receipt
    using (run_id in (select id from run)) with check (run_id in (select id from run));
grant select, insert on run_receipt to demarc_app;
select audit_table('run_receipt');

-- Making a partition in place locks every reader of results out until the
-- import commits. A run's table is made beside them, filled, and attached when
-- it is full, which lets readers go on; the check spares attaching a scan.
-- +goose StatementBegin
create or replace function open_run(run bigint) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    execute format('create table result_%s (like result including defaults including constraints)', run);
    execute format('alter table result_%s add constraint result_%s_run check (run_id = %s)', run, run, run);
    execute format('grant insert on result_%s to demarc_app', run);
    return format('result_%s', run);
end $$;
-- +goose StatementEnd

-- The table takes no further rows once it is attached.
-- +goose StatementBegin
create function attach_run(run bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    execute format('revoke insert on result_%s from demarc_app', run);
    execute format('alter table result_%s add primary key (run_id, seq)', run);
    execute format('alter table result attach partition result_%s for values in (%s)', run, run);
    execute format('alter table result_%s drop constraint result_%s_run', run, run);
end $$;
-- +goose StatementEnd
revoke execute on function attach_run(bigint) from public;
grant execute on function attach_run(bigint) to demarc_app;

-- Evidence that an import brings is audited once a statement, as results are:
-- how many rows, which, and the digest over them in order. By hand it is
-- audited whole.
-- +goose StatementBegin
create function audit_evidence() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    rows jsonb;
    n    integer;
begin
    select coalesce(jsonb_agg(to_jsonb(w)), '[]'), count(*) into rows, n from new_rows w where w.run_id is null;
    if n > 0 then
        perform audit_write('evidence', 'insert', n, jsonb_strip_nulls(jsonb_build_object('new', rows)));
    end if;
    select count(*), jsonb_build_object('run', max(w.run_id), 'first', min(w.id), 'last', max(w.id),
            'digest', encode(sha256(string_agg(sha256(convert_to(w::text, 'UTF8')), '\x' order by w.id)), 'hex'))
      into n, rows from new_rows w where w.run_id is not null;
    if n > 0 then
        perform audit_write('evidence', 'import', n, rows);
    end if;
    return null;
end $$;
-- +goose StatementEnd
drop trigger audit_insert on evidence;
create trigger audit_insert after insert on evidence referencing new table as new_rows
    for each statement execute function audit_evidence();

-- A refusal of permitted access is another difference than a refusal that did
-- not happen in the same case, and ends otherwise: when the case is permitted
-- again, not by a closure.
alter table discrepancy
    add column over_block boolean not null default false,
    drop constraint discrepancy_identity,
    add constraint discrepancy_identity
        unique (subject_id, variant, statement, case_id, path, direction, kind, over_block);

-- Results are audited once a run: how many, counted here, and the digest over
-- them in the order and encoding in which the application sent them. Reading
-- them back and encoding them again gives the same digest. Making it here
-- would take longer than storing the rows.
drop function close_run(bigint);
-- +goose StatementBegin
create function close_run(run bigint, digest bytea) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    n integer;
begin
    execute format('select count(*) from result_%s', run) into n;
    perform audit_write('result', 'import', n, jsonb_build_object('run', run, 'digest', encode(digest, 'hex')));
    return n;
end $$;
-- +goose StatementEnd
revoke execute on function close_run(bigint, bytea) from public;
grant execute on function close_run(bigint, bytea) to demarc_app;
