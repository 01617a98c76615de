-- +goose Up

-- The name that a page shows for who recorded a row; what is neither a person
-- nor a token is shown as it stands.
-- +goose StatementBegin
create function actor_name(actor text) returns text
language sql stable parallel safe
return coalesce(
    (select p.name from person_version p
     where p.person_id = substring(actor from '^person:([0-9]{1,18})$')::bigint and p.recorded_to = 'infinity'),
    (select 'token ' || k.name from token k where k.id = substring(actor from '^token:([0-9]{1,18})$')::bigint),
    actor);
-- +goose StatementEnd

-- Why a component was retired.
alter table component_version add column retired_because text not null default '';

-- The newest record of a kind on one statement.
create index evidence_newest on evidence (subject_id, statement, kind, observed_at desc, id desc);
-- What moved since an instant: a verdict moves when its interval is closed.
create index verdict_closed on verdict (recorded_to desc) where recorded_to < 'infinity';
-- Verdicts as of a past instant, counted without their rows.
create index verdict_past on verdict (recorded_to, recorded_from)
    include (subject_id, statement, label, met, required, changes_at, rung);
create index closure_recorded on closure (subject_id, recorded_at desc);
create index requirement_owner on requirement_version (lower(owner)) where recorded_to = 'infinity';
