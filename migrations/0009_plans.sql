-- +goose Up

-- Who reaches what stays as it was; the planner is told more of it. The reach
-- of a reader of all portfolios is asked once a statement instead of once a
-- row, and a row's noun is looked up by EXISTS, for which the planner may
-- choose between one look-up a row and one table for all: as "in (select …)"
-- every look-up by an index was priced with the whole table.
alter policy subject_all on subject using ((select scope_is_all()) or in_scope(portfolio_id));
alter policy runtime_all on runtime using ((select scope_is_all()) or in_scope(portfolio_id));
alter policy component_all on component using ((select scope_is_all()) or in_scope(portfolio_id));
alter policy run_all on run using ((select scope_is_all()) or in_scope(portfolio_id));
alter policy runtime_version_all on runtime_version
    using ((select scope_is_all()) or exists (select from runtime n where n.id = runtime_version.runtime_id));
alter policy component_version_all on component_version
    using ((select scope_is_all()) or exists (select from component n where n.id = component_version.component_id));
alter policy runtime_link_all on runtime_link
    using ((select scope_is_all()) or exists (select from runtime n where n.id = runtime_link.runtime_id));
alter policy target_all on target
    using ((select scope_is_all()) or exists (select from subject n where n.id = target.subject_id));
alter policy requirement_version_all on requirement_version
    using ((select scope_is_all()) or exists (select from subject n where n.id = requirement_version.subject_id));
alter policy evidence_all on evidence
    using ((select scope_is_all()) or exists (select from subject n where n.id = evidence.subject_id));
alter policy evidence_withdrawal_all on evidence_withdrawal
    using ((select scope_is_all()) or exists (select from evidence n where n.id = evidence_withdrawal.evidence_id));
alter policy closure_all on closure
    using ((select scope_is_all()) or exists (select from subject n where n.id = closure.subject_id));
alter policy acceptance_all on acceptance
    using ((select scope_is_all()) or exists (select from subject n where n.id = acceptance.subject_id));
alter policy ruling_all on ruling
    using ((select scope_is_all()) or exists (select from subject n where n.id = ruling.subject_id));
alter policy revocation_all on revocation
    using ((select scope_is_all()) or exists (select from subject n where n.id = revocation.subject_id));
alter policy verdict_all on verdict
    using ((select scope_is_all()) or exists (select from subject n where n.id = verdict.subject_id));
alter policy discrepancy_all on discrepancy
    using ((select scope_is_all()) or exists (select from subject n where n.id = discrepancy.subject_id));
alter policy discrepancy_version_all on discrepancy_version
    using ((select scope_is_all()) or exists (select from discrepancy n where n.id = discrepancy_version.discrepancy_id));
alter policy sighting_all on sighting
    using ((select scope_is_all()) or exists (select from discrepancy n where n.id = sighting.discrepancy_id));

-- What somebody owns, under whichever spelling. Behind row-level security an
-- index is used for leakproof comparisons alone, and lower() is none: hence
-- columns of their own.
drop index requirement_owner;
alter table requirement_version add column owner_key text not null generated always as (lower(owner)) stored;
create index requirement_owner on requirement_version (owner_key);
alter table discrepancy_version
    add column owner_key text not null generated always as (lower(owner)) stored,
    add column risk_owner_key text not null generated always as (lower(risk_owner)) stored;
create index discrepancy_owner on discrepancy_version (owner_key);
create index discrepancy_risk_owner on discrepancy_version (risk_owner_key);
