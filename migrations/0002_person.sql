-- +goose Up

create table person (
    id          bigint generated always as identity primary key,
    recorded_at timestamptz not null
);
create table person_version (
    person_id      bigint not null references person,
    version        integer not null,
    recorded_from  timestamptz not null,
    recorded_to    timestamptz not null default 'infinity',
    recorded_by    text not null,
    email          text not null,
    name           text not null,
    role           text not null,
    portfolios     bigint[] not null,
    all_portfolios boolean not null,
    active         boolean not null,
    primary key (person_id, version),
    constraint person_role check (role in ('viewer', 'editor', 'procurement', 'risk_owner', 'admin', 'auditor'))
);
create unique index person_current on person_version (person_id) where recorded_to = 'infinity';
create unique index person_email on person_version (lower(email)) where recorded_to = 'infinity';

-- Password hashes (argon2id, PHC string). The newest counts.
create table person_secret (
    id          bigint generated always as identity primary key,
    person_id   bigint not null references person,
    recorded_at timestamptz not null,
    hash        text not null
);
create index person_secret_person on person_secret (person_id, id desc);

-- One-time links: the first administrator's set-up and invitations.
create table invitation (
    id          bigint generated always as identity primary key,
    token_hash  bytea not null constraint invitation_token unique,
    kind        text not null,
    person_id   bigint references person,
    recorded_at timestamptz not null,
    recorded_by text not null,
    expires_at  timestamptz not null,
    used_at     timestamptz,
    constraint invitation_kind check (kind in ('setup', 'invite'))
);

create table sign_in (
    id          bigint generated always as identity primary key,
    email       text not null,
    person_id   bigint references person,
    recorded_at timestamptz not null,
    succeeded   boolean not null
);
create index sign_in_email on sign_in (lower(email), recorded_at);
create index sign_in_person on sign_in (person_id, recorded_at desc) where succeeded;

-- Sessions are no facts: they come and go, and no log of theirs is kept.
create table session (
    token_hash bytea primary key,
    data       bytea not null,
    expires_at timestamptz not null
);
create index session_expiry on session (expires_at);

create table token (
    id          bigint generated always as identity primary key,
    name        text not null,
    token_hash  bytea not null constraint token_hash unique,
    role        text not null,
    portfolios  bigint[] not null,
    all_portfolios boolean not null,
    recorded_at timestamptz not null,
    recorded_by text not null,
    expires_at  timestamptz not null,
    revoked_at  timestamptz,
    constraint token_role check (role in ('viewer', 'editor', 'procurement', 'risk_owner', 'admin', 'auditor'))
);
-- The last use is kept to the minute, apart from the token's facts.
create table token_use (
    token_id bigint primary key references token,
    used_at  timestamptz not null
);

-- When a person last looked at the overview, and the look before that.
create table look (
    person_id bigint primary key references person,
    at        timestamptz not null,
    previous  timestamptz not null
);

alter table person enable row level security;
alter table person_version enable row level security;
alter table person_secret enable row level security;
alter table invitation enable row level security;
alter table sign_in enable row level security;
alter table session enable row level security;
alter table token enable row level security;
alter table token_use enable row level security;
alter table look enable row level security;
-- People are named as owners on every page, so all may read their versions.
-- Sign-in reads secrets before anybody is signed in; no page does.
create policy person_all on person using (true) with check (true);
create policy person_version_all on person_version using (true) with check (true);
create policy person_secret_all on person_secret using (true) with check (true);
create policy invitation_all on invitation using (true) with check (true);
create policy sign_in_all on sign_in using (true) with check (true);
create policy session_all on session using (true) with check (true);
create policy token_all on token using (true) with check (true);
create policy token_use_all on token_use using (true) with check (true);
create policy look_all on look using (true) with check (true);

grant select, insert on person, person_version, person_secret, invitation, sign_in, token to demarc_app;
grant update (recorded_to) on person_version to demarc_app;
grant update (used_at) on invitation to demarc_app;
grant update (revoked_at) on token to demarc_app;
grant select, insert, update, delete on session to demarc_app;
grant select, insert, update on token_use, look to demarc_app;

select audit_table('person');
select audit_table('person_version');
select audit_table('person_secret', 'hash');
select audit_table('invitation', 'token_hash');
select audit_table('sign_in');
select audit_table('token', 'token_hash');
