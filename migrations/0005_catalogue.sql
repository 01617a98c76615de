-- +goose Up

-- The shipped catalogue as loaded: what each system's sources say, in
-- versions. A newer catalogue file closes a row and opens the next.
create table catalogue_system (
    id            text not null,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    vendor_id     text not null,
    vendor        text not null,
    product       text not null,
    variant       text not null,
    name          text not null,
    kind          text not null,
    category      text not null,
    aliases       text[] not null,
    primary key (id, recorded_from)
);
create unique index catalogue_system_current on catalogue_system (id) where recorded_to = 'infinity';
create table catalogue_claim (
    id            text not null,
    recorded_from timestamptz not null,
    recorded_to   timestamptz not null default 'infinity',
    system_id     text not null,
    position      integer not null,
    stated        boolean not null,
    seen_on       date not null,
    body          jsonb not null,
    primary key (id, recorded_from)
);
create unique index catalogue_claim_current on catalogue_claim (id) where recorded_to = 'infinity';
create index catalogue_claim_system on catalogue_claim (system_id, position);

alter table catalogue_system enable row level security;
create policy catalogue_system_all on catalogue_system using (true) with check (scope_is_all());
alter table catalogue_claim enable row level security;
create policy catalogue_claim_all on catalogue_claim using (true) with check (scope_is_all());
grant select, insert on catalogue_system, catalogue_claim to demarc_app;
grant update (recorded_to) on catalogue_system, catalogue_claim to demarc_app;
select audit_table('catalogue_system');
select audit_table('catalogue_claim');

-- Removing the sample portfolio is the one deletion there is: it takes what
-- was never anybody's fact. The audit rows of its making and its removal stay.
-- +goose StatementBegin
create function remove_sample(removed bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
    gone bigint;
begin
    if not exists (select from portfolio where id = removed and sample) then
        raise exception 'portfolio % is not a sample', removed using errcode = 'P0002';
    end if;
    create temporary table gone_subject on commit drop as select id from subject where portfolio_id = removed;
    delete from sighting where discrepancy_id in (select id from discrepancy where subject_id in (select id from gone_subject));
    delete from discrepancy_version where discrepancy_id in (select id from discrepancy where subject_id in (select id from gone_subject));
    delete from discrepancy where subject_id in (select id from gone_subject);
    delete from verdict where subject_id in (select id from gone_subject);
    delete from revocation where subject_id in (select id from gone_subject);
    delete from closure where subject_id in (select id from gone_subject);
    delete from acceptance where subject_id in (select id from gone_subject);
    delete from ruling where subject_id in (select id from gone_subject);
    delete from evidence_withdrawal where evidence_id in (select id from evidence where subject_id in (select id from gone_subject));
    delete from evidence where subject_id in (select id from gone_subject);
    for gone in select id from run where portfolio_id = removed loop
        execute format('drop table if exists result_%s', gone);
    end loop;
    delete from run where portfolio_id = removed;
    delete from requirement_version where subject_id in (select id from gone_subject);
    delete from target where subject_id in (select id from gone_subject);
    delete from runtime_link where runtime_id in (select id from runtime where portfolio_id = removed)
        or component_id in (select id from component where portfolio_id = removed);
    delete from runtime_version where runtime_id in (select id from runtime where portfolio_id = removed);
    delete from component_version where component_id in (select id from component where portfolio_id = removed);
    delete from runtime where portfolio_id = removed;
    delete from component where portfolio_id = removed;
    delete from subject where portfolio_id = removed;
    delete from artefact_chunk where portfolio_id = removed;
    delete from artefact where portfolio_id = removed;
    delete from portfolio where id = removed;
end $$;
-- +goose StatementEnd
revoke execute on function remove_sample(bigint) from public;
grant execute on function remove_sample(bigint) to demarc_app;
