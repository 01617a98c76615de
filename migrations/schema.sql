--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: public; Type: SCHEMA; Schema: -; Owner: demarc_owner
--

-- *not* creating schema, since initdb creates it

ALTER SCHEMA public OWNER TO demarc_owner;

--
-- Name: evidence_rung; Type: TYPE; Schema: public; Owner: demarc_owner
--

CREATE TYPE public.evidence_rung AS ENUM (
    'not_stated',
    'claimed',
    'documented',
    'attested',
    'configured',
    'tested'
);

ALTER TYPE public.evidence_rung OWNER TO demarc_owner;

--
-- Name: verdict_label; Type: TYPE; Schema: public; Owner: demarc_owner
--

CREATE TYPE public.verdict_label AS ENUM (
    'contradicted',
    'not_provided',
    'suspect',
    'accepted_risk',
    'not_stated',
    'stale',
    'claimed',
    'documented',
    'attested',
    'configured',
    'tested',
    'not_applicable'
);

ALTER TYPE public.verdict_label OWNER TO demarc_owner;

SET default_tablespace = '';

--
-- Name: person_version; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.person_version (
    person_id bigint NOT NULL,
    version integer NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    portfolios bigint[] NOT NULL,
    all_portfolios boolean NOT NULL,
    active boolean NOT NULL,
    CONSTRAINT person_role CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'procurement'::text, 'risk_owner'::text, 'admin'::text, 'auditor'::text])))
);

ALTER TABLE public.person_version OWNER TO demarc_owner;

--
-- Name: token; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.token (
    id bigint NOT NULL,
    name text NOT NULL,
    token_hash bytea NOT NULL,
    role text NOT NULL,
    portfolios bigint[] NOT NULL,
    all_portfolios boolean NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT token_role CHECK ((role = ANY (ARRAY['viewer'::text, 'editor'::text, 'procurement'::text, 'risk_owner'::text, 'admin'::text, 'auditor'::text])))
);

ALTER TABLE public.token OWNER TO demarc_owner;

--
-- Name: actor_name(text); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.actor_name(actor text) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE((SELECT p.name FROM public.person_version p WHERE ((p.person_id = ("substring"(actor_name.actor, '^person:([0-9]{1,18})$'::text))::bigint) AND (p.recorded_to = 'infinity'::timestamp with time zone))), (SELECT ('token '::text || k.name) FROM public.token k WHERE (k.id = ("substring"(actor_name.actor, '^token:([0-9]{1,18})$'::text))::bigint)), actor);

ALTER FUNCTION public.actor_name(actor text) OWNER TO demarc_owner;

--
-- Name: attach_run(bigint); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.attach_run(run bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    execute format('revoke insert on result_%s from demarc_app', run);
    execute format('alter table result_%s add primary key (run_id, seq)', run);
    execute format('alter table result attach partition result_%s for values in (%s)', run, run);
    execute format('alter table result_%s drop constraint result_%s_run', run, run);
end $$;

ALTER FUNCTION public.attach_run(run bigint) OWNER TO demarc_owner;

--
-- Name: audit_digest(timestamp with time zone, text, text, text, text, integer, jsonb); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.audit_digest(at timestamp with time zone, actor text, request text, relation text, op text, row_count integer, rows jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    RETURN sha256(convert_to(concat_ws(''::text, (EXTRACT(epoch FROM at))::text, actor, request, relation, op, (row_count)::text, (rows)::text), 'UTF8'::name));

ALTER FUNCTION public.audit_digest(at timestamp with time zone, actor text, request text, relation text, op text, row_count integer, rows jsonb) OWNER TO demarc_owner;

--
-- Name: audit_evidence(); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.audit_evidence() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.audit_evidence() OWNER TO demarc_owner;

--
-- Name: audit_statement(); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.audit_statement() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.audit_statement() OWNER TO demarc_owner;

--
-- Name: audit_table(regclass, text[]); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.audit_table(relation regclass, VARIADIC hidden text[] DEFAULT '{}'::text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    args text := (select coalesce(string_agg(quote_literal(h), ', '), '') from unnest(hidden) h);
begin
    execute format('create trigger audit_insert after insert on %s referencing new table as new_rows for each statement execute function audit_statement(%s)', relation, args);
    execute format('create trigger audit_update after update on %s referencing old table as old_rows new table as new_rows for each statement execute function audit_statement(%s)', relation, args);
    execute format('create trigger audit_delete after delete on %s referencing old table as old_rows for each statement execute function audit_statement(%s)', relation, args);
end $$;

ALTER FUNCTION public.audit_table(relation regclass, VARIADIC hidden text[]) OWNER TO demarc_owner;

--
-- Name: audit_write(text, text, integer, jsonb); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.audit_write(relation text, op text, row_count integer, rows jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    moment  timestamptz := clock_timestamp();
    actor   text := coalesce(nullif(current_setting('demarc.person', true), ''), 'database:' || session_user);
    request text := coalesce(current_setting('demarc.request', true), '');
begin
    insert into audit (at, actor, request, relation, op, row_count, rows, digest)
    values (moment, actor, request, relation, op, row_count, rows,
            audit_digest(moment, actor, request, relation, op, row_count, rows));
end $$;

ALTER FUNCTION public.audit_write(relation text, op text, row_count integer, rows jsonb) OWNER TO demarc_owner;

--
-- Name: close_run(bigint, bytea); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.close_run(run bigint, digest bytea) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
    n integer;
begin
    execute format('select count(*) from result_%s', run) into n;
    perform audit_write('result', 'import', n, jsonb_build_object('run', run, 'digest', encode(digest, 'hex')));
    return n;
end $$;

ALTER FUNCTION public.close_run(run bigint, digest bytea) OWNER TO demarc_owner;

--
-- Name: in_scope(bigint); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.in_scope(portfolio bigint) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN ((current_setting('demarc.scope'::text, true) = '*'::text) OR (portfolio = ANY ((string_to_array(NULLIF(current_setting('demarc.scope'::text, true), '*'::text), ','::text))::bigint[])));

ALTER FUNCTION public.in_scope(portfolio bigint) OWNER TO demarc_owner;

--
-- Name: open_run(bigint); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.open_run(run bigint) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
    execute format('create table result_%s (like result including defaults including constraints)', run);
    execute format('alter table result_%s add constraint result_%s_run check (run_id = %s)', run, run, run);
    execute format('grant insert on result_%s to demarc_app', run);
    return format('result_%s', run);
end $$;

ALTER FUNCTION public.open_run(run bigint) OWNER TO demarc_owner;

--
-- Name: remove_sample(bigint); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.remove_sample(removed bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.remove_sample(removed bigint) OWNER TO demarc_owner;

--
-- Name: runtimes_outside(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.runtimes_outside(known timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    select count(*)
    from runtime r join runtime_version v on v.runtime_id = r.id
    where not v.retired and not in_scope(r.portfolio_id)
        and case when known is null then v.recorded_to = 'infinity'
            else v.recorded_from <= known and v.recorded_to > known end
$$;

ALTER FUNCTION public.runtimes_outside(known timestamp with time zone) OWNER TO demarc_owner;

--
-- Name: scope_is_all(); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.scope_is_all() RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (current_setting('demarc.scope'::text, true) = '*'::text);

ALTER FUNCTION public.scope_is_all() OWNER TO demarc_owner;

--
-- Name: seal_audit(); Type: FUNCTION; Schema: public; Owner: demarc_owner
--

CREATE FUNCTION public.seal_audit() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

ALTER FUNCTION public.seal_audit() OWNER TO demarc_owner;

--
-- Name: acceptance; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.acceptance (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    covers bigint[] NOT NULL,
    shortfall boolean NOT NULL,
    identity jsonb NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    review_at timestamp with time zone NOT NULL,
    severity text NOT NULL,
    condition text NOT NULL,
    CONSTRAINT acceptance_severity CHECK ((severity = ANY (ARRAY['very_low'::text, 'low'::text, 'moderate'::text, 'high'::text, 'very_high'::text]))),
    CONSTRAINT acceptance_span CHECK ((expires_at > recorded_at))
);

ALTER TABLE public.acceptance OWNER TO demarc_owner;

--
-- Name: acceptance_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.acceptance ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.acceptance_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: artefact; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.artefact (
    portfolio_id bigint NOT NULL,
    sha256 bytea NOT NULL,
    size bigint NOT NULL,
    media text NOT NULL,
    name text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    CONSTRAINT artefact_sha256 CHECK ((length(sha256) = 32)),
    CONSTRAINT artefact_size CHECK ((size >= 0))
);

ALTER TABLE public.artefact OWNER TO demarc_owner;

--
-- Name: artefact_chunk; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.artefact_chunk (
    portfolio_id bigint NOT NULL,
    sha256 bytea NOT NULL,
    seq integer NOT NULL,
    body bytea NOT NULL
);
ALTER TABLE ONLY public.artefact_chunk ALTER COLUMN body SET STORAGE EXTERNAL;

ALTER TABLE public.artefact_chunk OWNER TO demarc_owner;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    txid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    actor text NOT NULL,
    request text NOT NULL,
    relation text NOT NULL,
    op text NOT NULL,
    row_count integer NOT NULL,
    rows jsonb NOT NULL,
    digest bytea NOT NULL,
    seal bigint,
    CONSTRAINT audit_op CHECK ((op = ANY (ARRAY['insert'::text, 'update'::text, 'delete'::text, 'import'::text])))
);

ALTER TABLE public.audit OWNER TO demarc_owner;

--
-- Name: audit_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: audit_seal; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.audit_seal (
    seq bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    row_count bigint NOT NULL,
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    previous bytea NOT NULL,
    digest bytea NOT NULL
);

ALTER TABLE public.audit_seal OWNER TO demarc_owner;

--
-- Name: catalogue_claim; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.catalogue_claim (
    id text NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    system_id text NOT NULL,
    "position" integer NOT NULL,
    stated boolean NOT NULL,
    seen_on date NOT NULL,
    body jsonb NOT NULL
);

ALTER TABLE public.catalogue_claim OWNER TO demarc_owner;

--
-- Name: catalogue_system; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.catalogue_system (
    id text NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    vendor_id text NOT NULL,
    vendor text NOT NULL,
    product text NOT NULL,
    variant text NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    category text NOT NULL,
    aliases text[] NOT NULL
);

ALTER TABLE public.catalogue_system OWNER TO demarc_owner;

--
-- Name: closure; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.closure (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    evidence_id bigint NOT NULL,
    kind text NOT NULL,
    identity jsonb NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    verified_by bigint[] NOT NULL,
    justification text NOT NULL,
    reason text NOT NULL,
    fix text NOT NULL,
    CONSTRAINT closure_kind CHECK ((kind = ANY (ARRAY['fixed_verified'::text, 'not_applicable'::text, 'test_invalid'::text])))
);

ALTER TABLE public.closure OWNER TO demarc_owner;

--
-- Name: closure_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.closure ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.closure_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: component; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.component (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    portfolio_id bigint NOT NULL,
    slug text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT component_slug_form CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

ALTER TABLE public.component OWNER TO demarc_owner;

--
-- Name: component_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.component ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.component_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: component_version; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.component_version (
    component_id bigint NOT NULL,
    version integer NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    purpose text NOT NULL,
    owner text NOT NULL,
    risk_owner text NOT NULL,
    data_class text NOT NULL,
    criticality text NOT NULL,
    shared boolean NOT NULL,
    retired boolean NOT NULL,
    retired_because text DEFAULT ''::text NOT NULL,
    CONSTRAINT component_criticality CHECK ((criticality = ANY (ARRAY['normal'::text, 'high'::text]))),
    CONSTRAINT component_data_class CHECK ((data_class = ANY (ARRAY[''::text, 'public'::text, 'synthetic'::text, 'internal'::text, 'confidential'::text, 'restricted'::text]))),
    CONSTRAINT component_kind CHECK ((kind = ANY (ARRAY['gateway'::text, 'model_provider'::text, 'retrieval'::text, 'identity'::text, 'management'::text, 'storage'::text, 'logging'::text, 'tool_server'::text, 'egress'::text, 'other'::text])))
);

ALTER TABLE public.component_version OWNER TO demarc_owner;

--
-- Name: discrepancy; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.discrepancy (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    variant text NOT NULL,
    statement text NOT NULL,
    case_id text NOT NULL,
    path text NOT NULL,
    direction text NOT NULL,
    kind text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    over_block boolean DEFAULT false NOT NULL,
    CONSTRAINT discrepancy_kind CHECK ((kind = ANY (ARRAY['boundary_failed'::text, 'evidence_missing'::text])))
);

ALTER TABLE public.discrepancy OWNER TO demarc_owner;

--
-- Name: discrepancy_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.discrepancy ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.discrepancy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: discrepancy_version; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.discrepancy_version (
    discrepancy_id bigint NOT NULL,
    version integer NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    state text NOT NULL,
    owner text NOT NULL,
    risk_owner text NOT NULL,
    severity text NOT NULL,
    initial text NOT NULL,
    due_at timestamp with time zone NOT NULL,
    expected text NOT NULL,
    seen text NOT NULL,
    owner_key text GENERATED ALWAYS AS (lower(owner)) STORED NOT NULL,
    risk_owner_key text GENERATED ALWAYS AS (lower(risk_owner)) STORED NOT NULL,
    CONSTRAINT discrepancy_severity CHECK ((severity = ANY (ARRAY['very_low'::text, 'low'::text, 'moderate'::text, 'high'::text, 'very_high'::text]))),
    CONSTRAINT discrepancy_state CHECK ((state = ANY (ARRAY['open'::text, 'investigating'::text, 'remediating'::text, 'retest_due'::text, 'closed'::text, 'deviation_requested'::text, 'deviation_approved'::text])))
);

ALTER TABLE public.discrepancy_version OWNER TO demarc_owner;

--
-- Name: evidence; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.evidence (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    kind text NOT NULL,
    polarity text NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    valid_until timestamp with time zone,
    vendor text NOT NULL,
    product text NOT NULL,
    variant text NOT NULL,
    version text NOT NULL,
    image text NOT NULL,
    policy text NOT NULL,
    config text NOT NULL,
    region text NOT NULL,
    tools text NOT NULL,
    model text NOT NULL,
    environment text NOT NULL,
    by_hand boolean NOT NULL,
    pre_ga boolean NOT NULL,
    run text NOT NULL,
    case_id text NOT NULL,
    expected text NOT NULL,
    outcome text NOT NULL,
    control_ok boolean NOT NULL,
    advisory text NOT NULL,
    source_role text NOT NULL,
    source_name text NOT NULL,
    method text NOT NULL,
    title text NOT NULL,
    words text NOT NULL,
    url text NOT NULL,
    artefact bytea,
    observed_behaviour text NOT NULL,
    refusal_origin text NOT NULL,
    path text NOT NULL,
    direction text NOT NULL,
    tester text NOT NULL,
    claim text NOT NULL,
    run_id bigint,
    occurrence integer DEFAULT 1 NOT NULL,
    CONSTRAINT evidence_advisory CHECK ((advisory = ANY (ARRAY[''::text, 'affected'::text, 'under_investigation'::text, 'fixed'::text, 'not_affected'::text]))),
    CONSTRAINT evidence_clocks CHECK ((observed_at <= recorded_at)),
    CONSTRAINT evidence_expected CHECK ((expected = ANY (ARRAY[''::text, 'permit'::text, 'deny'::text]))),
    CONSTRAINT evidence_kind CHECK ((kind = ANY (ARRAY['statement'::text, 'documentation'::text, 'attestation'::text, 'configuration'::text, 'test'::text, 'incident'::text]))),
    CONSTRAINT evidence_outcome CHECK ((outcome = ANY (ARRAY[''::text, 'pass'::text, 'fail'::text, 'error'::text, 'skipped'::text, 'inconclusive'::text, 'incomplete'::text]))),
    CONSTRAINT evidence_polarity CHECK ((polarity = ANY (ARRAY['none'::text, 'supports'::text, 'contradicts'::text]))),
    CONSTRAINT evidence_region CHECK (((region <> 'any'::text) OR (kind <> ALL (ARRAY['test'::text, 'configuration'::text])))),
    CONSTRAINT evidence_test CHECK (((kind <> 'test'::text) OR ((outcome <> ''::text) AND (expected <> ''::text))))
);

ALTER TABLE public.evidence OWNER TO demarc_owner;

--
-- Name: evidence_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.evidence ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.evidence_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: evidence_withdrawal; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.evidence_withdrawal (
    evidence_id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    reason text NOT NULL
);

ALTER TABLE public.evidence_withdrawal OWNER TO demarc_owner;

--
-- Name: invitation; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.invitation (
    id bigint NOT NULL,
    token_hash bytea NOT NULL,
    kind text NOT NULL,
    person_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT invitation_kind CHECK ((kind = ANY (ARRAY['setup'::text, 'invite'::text])))
);

ALTER TABLE public.invitation OWNER TO demarc_owner;

--
-- Name: invitation_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.invitation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: look; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.look (
    person_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    previous timestamp with time zone NOT NULL
);

ALTER TABLE public.look OWNER TO demarc_owner;

--
-- Name: person; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.person (
    id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);

ALTER TABLE public.person OWNER TO demarc_owner;

--
-- Name: person_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.person ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.person_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: person_secret; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.person_secret (
    id bigint NOT NULL,
    person_id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    hash text NOT NULL
);

ALTER TABLE public.person_secret OWNER TO demarc_owner;

--
-- Name: person_secret_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.person_secret ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.person_secret_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: policy; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.policy (
    version integer NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    body jsonb NOT NULL
);

ALTER TABLE public.policy OWNER TO demarc_owner;

--
-- Name: portfolio; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.portfolio (
    id bigint NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    sample boolean DEFAULT false NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT portfolio_slug_form CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

ALTER TABLE public.portfolio OWNER TO demarc_owner;

--
-- Name: portfolio_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.portfolio ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.portfolio_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: requirement_version; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.requirement_version (
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    version integer NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    wanted text NOT NULL,
    reason text NOT NULL,
    mechanism text NOT NULL,
    configuration text NOT NULL,
    rung public.evidence_rung NOT NULL,
    owner text NOT NULL,
    paths text[] NOT NULL,
    owner_key text GENERATED ALWAYS AS (lower(owner)) STORED NOT NULL,
    CONSTRAINT requirement_wanted CHECK ((wanted = ANY (ARRAY['undecided'::text, 'intended'::text, 'not_intended'::text])))
);

ALTER TABLE public.requirement_version OWNER TO demarc_owner;

--
-- Name: result; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.result (
    run_id bigint NOT NULL,
    seq integer NOT NULL,
    line integer NOT NULL,
    suite text NOT NULL,
    class text NOT NULL,
    name text NOT NULL,
    outcome text NOT NULL,
    message text NOT NULL,
    duration_ns bigint NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    zone_assumed boolean NOT NULL,
    statement text NOT NULL,
    scenario text NOT NULL,
    run_name text NOT NULL,
    case_id text NOT NULL,
    path text NOT NULL,
    direction text NOT NULL,
    expected text NOT NULL,
    control_ok boolean NOT NULL,
    observed_behaviour text NOT NULL,
    refusal_origin text NOT NULL,
    tester text NOT NULL,
    mapped_by text NOT NULL,
    receiver text NOT NULL,
    identity jsonb NOT NULL,
    text text NOT NULL,
    cut bigint NOT NULL,
    CONSTRAINT result_expected CHECK ((expected = ANY (ARRAY[''::text, 'permit'::text, 'deny'::text]))),
    CONSTRAINT result_outcome CHECK ((outcome = ANY (ARRAY['pass'::text, 'fail'::text, 'error'::text, 'skipped'::text, 'inconclusive'::text, 'incomplete'::text])))
)
PARTITION BY LIST (run_id);

ALTER TABLE public.result OWNER TO demarc_owner;

--
-- Name: revocation; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.revocation (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    closure_id bigint,
    acceptance_id bigint,
    ruling_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    reason text NOT NULL,
    CONSTRAINT revocation_one CHECK ((num_nonnulls(closure_id, acceptance_id, ruling_id) = 1))
);

ALTER TABLE public.revocation OWNER TO demarc_owner;

--
-- Name: revocation_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.revocation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.revocation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: ruling; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.ruling (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    identity jsonb NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    expires_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    reason text NOT NULL
);

ALTER TABLE public.ruling OWNER TO demarc_owner;

--
-- Name: ruling_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.ruling ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ruling_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: run; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.run (
    id bigint NOT NULL,
    portfolio_id bigint NOT NULL,
    runtime_id bigint,
    file text NOT NULL,
    format text NOT NULL,
    sha256 bytea NOT NULL,
    mapping text NOT NULL,
    attributed boolean NOT NULL,
    identity jsonb NOT NULL,
    identity_end jsonb NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL
);

ALTER TABLE public.run OWNER TO demarc_owner;

--
-- Name: run_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.run ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: run_receipt; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.run_receipt (
    run_id bigint NOT NULL,
    stored_sha256 bytea NOT NULL,
    receipt jsonb NOT NULL,
    CONSTRAINT run_receipt_stored CHECK ((length(stored_sha256) = 32))
);

ALTER TABLE public.run_receipt OWNER TO demarc_owner;

--
-- Name: runtime; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.runtime (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    portfolio_id bigint NOT NULL,
    slug text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT runtime_slug_form CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

ALTER TABLE public.runtime OWNER TO demarc_owner;

--
-- Name: runtime_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.runtime ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.runtime_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: runtime_link; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.runtime_link (
    runtime_id bigint NOT NULL,
    component_id bigint NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL
);

ALTER TABLE public.runtime_link OWNER TO demarc_owner;

--
-- Name: runtime_version; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.runtime_version (
    runtime_id bigint NOT NULL,
    version integer NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    name text NOT NULL,
    purpose text NOT NULL,
    intents jsonb NOT NULL,
    stage text NOT NULL,
    owner text NOT NULL,
    risk_owner text NOT NULL,
    data_class text NOT NULL,
    criticality text NOT NULL,
    multi_tenant boolean NOT NULL,
    profile text NOT NULL,
    retired boolean NOT NULL,
    retired_because text NOT NULL,
    CONSTRAINT runtime_criticality CHECK ((criticality = ANY (ARRAY['normal'::text, 'high'::text]))),
    CONSTRAINT runtime_data_class CHECK ((data_class = ANY (ARRAY[''::text, 'public'::text, 'synthetic'::text, 'internal'::text, 'confidential'::text, 'restricted'::text]))),
    CONSTRAINT runtime_stage CHECK ((stage = ANY (ARRAY['design'::text, 'evaluation'::text, 'in_use'::text, 'production'::text])))
);

ALTER TABLE public.runtime_version OWNER TO demarc_owner;

--
-- Name: session; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.session (
    token_hash bytea NOT NULL,
    data bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE public.session OWNER TO demarc_owner;

--
-- Name: sighting; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.sighting (
    discrepancy_id bigint NOT NULL,
    evidence_id bigint NOT NULL,
    target_id bigint,
    recorded_at timestamp with time zone NOT NULL
);

ALTER TABLE public.sighting OWNER TO demarc_owner;

--
-- Name: sign_in; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.sign_in (
    id bigint NOT NULL,
    email text NOT NULL,
    person_id bigint,
    recorded_at timestamp with time zone NOT NULL,
    succeeded boolean NOT NULL
);

ALTER TABLE public.sign_in OWNER TO demarc_owner;

--
-- Name: sign_in_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.sign_in ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sign_in_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: subject; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.subject (
    id bigint NOT NULL,
    kind text NOT NULL,
    portfolio_id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    CONSTRAINT subject_kind CHECK ((kind = ANY (ARRAY['unit'::text, 'receiver'::text])))
);

ALTER TABLE public.subject OWNER TO demarc_owner;

--
-- Name: subject_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.subject ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.subject_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: target; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.target (
    id bigint NOT NULL,
    subject_id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_by text NOT NULL,
    reason text NOT NULL,
    vendor text NOT NULL,
    product text NOT NULL,
    variant text NOT NULL,
    version text NOT NULL,
    image text NOT NULL,
    policy text NOT NULL,
    config text NOT NULL,
    region text NOT NULL,
    tools text NOT NULL,
    model text NOT NULL,
    environment text NOT NULL,
    CONSTRAINT target_region CHECK ((region <> 'any'::text))
);

ALTER TABLE public.target OWNER TO demarc_owner;

--
-- Name: target_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.target ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.target_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: token_id_seq; Type: SEQUENCE; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.token ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.token_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: token_use; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.token_use (
    token_id bigint NOT NULL,
    used_at timestamp with time zone NOT NULL
);

ALTER TABLE public.token_use OWNER TO demarc_owner;

--
-- Name: verdict; Type: TABLE; Schema: public; Owner: demarc_owner
--

CREATE TABLE public.verdict (
    subject_id bigint NOT NULL,
    statement text NOT NULL,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    changes_at timestamp with time zone DEFAULT 'infinity'::timestamp with time zone NOT NULL,
    label public.verdict_label NOT NULL,
    state public.verdict_label NOT NULL,
    rung public.evidence_rung NOT NULL,
    best public.evidence_rung NOT NULL,
    met boolean NOT NULL,
    required boolean NOT NULL,
    hard bigint[] NOT NULL,
    soft bigint[] NOT NULL,
    acceptance_id bigint,
    paths_tested integer NOT NULL,
    paths_known integer NOT NULL,
    lapsed smallint NOT NULL,
    library text NOT NULL,
    policy integer NOT NULL,
    cause text NOT NULL
);

ALTER TABLE public.verdict OWNER TO demarc_owner;

--
-- Name: acceptance acceptance_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.acceptance
    ADD CONSTRAINT acceptance_pkey PRIMARY KEY (id);

--
-- Name: artefact_chunk artefact_chunk_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.artefact_chunk
    ADD CONSTRAINT artefact_chunk_pkey PRIMARY KEY (portfolio_id, sha256, seq);

--
-- Name: artefact artefact_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.artefact
    ADD CONSTRAINT artefact_pkey PRIMARY KEY (portfolio_id, sha256);

--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);

--
-- Name: audit_seal audit_seal_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.audit_seal
    ADD CONSTRAINT audit_seal_pkey PRIMARY KEY (seq);

--
-- Name: catalogue_claim catalogue_claim_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.catalogue_claim
    ADD CONSTRAINT catalogue_claim_pkey PRIMARY KEY (id, recorded_from);

--
-- Name: catalogue_system catalogue_system_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.catalogue_system
    ADD CONSTRAINT catalogue_system_pkey PRIMARY KEY (id, recorded_from);

--
-- Name: closure closure_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.closure
    ADD CONSTRAINT closure_pkey PRIMARY KEY (id);

--
-- Name: component component_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component
    ADD CONSTRAINT component_pkey PRIMARY KEY (id);

--
-- Name: component component_slug; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component
    ADD CONSTRAINT component_slug UNIQUE (slug);

--
-- Name: component component_subject; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component
    ADD CONSTRAINT component_subject UNIQUE (subject_id);

--
-- Name: component_version component_version_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component_version
    ADD CONSTRAINT component_version_pkey PRIMARY KEY (component_id, version);

--
-- Name: discrepancy discrepancy_identity; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.discrepancy
    ADD CONSTRAINT discrepancy_identity UNIQUE (subject_id, variant, statement, case_id, path, direction, kind, over_block);

--
-- Name: discrepancy discrepancy_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.discrepancy
    ADD CONSTRAINT discrepancy_pkey PRIMARY KEY (id);

--
-- Name: discrepancy_version discrepancy_version_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.discrepancy_version
    ADD CONSTRAINT discrepancy_version_pkey PRIMARY KEY (discrepancy_id, version);

--
-- Name: evidence evidence_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_pkey PRIMARY KEY (id);

--
-- Name: evidence_withdrawal evidence_withdrawal_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.evidence_withdrawal
    ADD CONSTRAINT evidence_withdrawal_pkey PRIMARY KEY (evidence_id);

--
-- Name: invitation invitation_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (id);

--
-- Name: invitation invitation_token; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_token UNIQUE (token_hash);

--
-- Name: look look_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_pkey PRIMARY KEY (person_id);

--
-- Name: person person_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);

--
-- Name: person_secret person_secret_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.person_secret
    ADD CONSTRAINT person_secret_pkey PRIMARY KEY (id);

--
-- Name: person_version person_version_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.person_version
    ADD CONSTRAINT person_version_pkey PRIMARY KEY (person_id, version);

--
-- Name: policy policy_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.policy
    ADD CONSTRAINT policy_pkey PRIMARY KEY (version);

--
-- Name: portfolio portfolio_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.portfolio
    ADD CONSTRAINT portfolio_pkey PRIMARY KEY (id);

--
-- Name: portfolio portfolio_slug; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.portfolio
    ADD CONSTRAINT portfolio_slug UNIQUE (slug);

--
-- Name: requirement_version requirement_version_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.requirement_version
    ADD CONSTRAINT requirement_version_pkey PRIMARY KEY (subject_id, statement, version);

--
-- Name: result result_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.result
    ADD CONSTRAINT result_pkey PRIMARY KEY (run_id, seq);

--
-- Name: revocation revocation_acceptance; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_acceptance UNIQUE (acceptance_id);

--
-- Name: revocation revocation_closure; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_closure UNIQUE (closure_id);

--
-- Name: revocation revocation_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_pkey PRIMARY KEY (id);

--
-- Name: revocation revocation_ruling; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_ruling UNIQUE (ruling_id);

--
-- Name: ruling ruling_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.ruling
    ADD CONSTRAINT ruling_pkey PRIMARY KEY (id);

--
-- Name: run run_bytes; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_bytes UNIQUE (portfolio_id, sha256);

--
-- Name: run run_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);

--
-- Name: run_receipt run_receipt_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run_receipt
    ADD CONSTRAINT run_receipt_pkey PRIMARY KEY (run_id);

--
-- Name: runtime_link runtime_link_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime_link
    ADD CONSTRAINT runtime_link_pkey PRIMARY KEY (runtime_id, component_id, recorded_from);

--
-- Name: runtime runtime_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime
    ADD CONSTRAINT runtime_pkey PRIMARY KEY (id);

--
-- Name: runtime runtime_slug; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime
    ADD CONSTRAINT runtime_slug UNIQUE (slug);

--
-- Name: runtime runtime_subject; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime
    ADD CONSTRAINT runtime_subject UNIQUE (subject_id);

--
-- Name: runtime_version runtime_version_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime_version
    ADD CONSTRAINT runtime_version_pkey PRIMARY KEY (runtime_id, version);

--
-- Name: session session_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (token_hash);

--
-- Name: sighting sighting_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_pkey PRIMARY KEY (discrepancy_id, evidence_id);

--
-- Name: sign_in sign_in_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sign_in
    ADD CONSTRAINT sign_in_pkey PRIMARY KEY (id);

--
-- Name: subject subject_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.subject
    ADD CONSTRAINT subject_pkey PRIMARY KEY (id);

--
-- Name: target target_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.target
    ADD CONSTRAINT target_pkey PRIMARY KEY (id);

--
-- Name: token token_hash; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_hash UNIQUE (token_hash);

--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);

--
-- Name: token_use token_use_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.token_use
    ADD CONSTRAINT token_use_pkey PRIMARY KEY (token_id);

--
-- Name: verdict verdict_pkey; Type: CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.verdict
    ADD CONSTRAINT verdict_pkey PRIMARY KEY (subject_id, statement, recorded_from);

--
-- Name: acceptance_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX acceptance_subject ON public.acceptance USING btree (subject_id, statement);

--
-- Name: audit_actor; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX audit_actor ON public.audit USING btree (actor, id);

--
-- Name: audit_relation; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX audit_relation ON public.audit USING btree (relation, id);

--
-- Name: audit_request; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX audit_request ON public.audit USING btree (request);

--
-- Name: audit_unsealed; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX audit_unsealed ON public.audit USING btree (id) WHERE (seal IS NULL);

--
-- Name: catalogue_claim_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX catalogue_claim_current ON public.catalogue_claim USING btree (id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: catalogue_claim_system; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX catalogue_claim_system ON public.catalogue_claim USING btree (system_id, "position");

--
-- Name: catalogue_system_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX catalogue_system_current ON public.catalogue_system USING btree (id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: closure_evidence; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX closure_evidence ON public.closure USING btree (evidence_id);

--
-- Name: closure_recorded; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX closure_recorded ON public.closure USING btree (subject_id, recorded_at DESC);

--
-- Name: closure_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX closure_subject ON public.closure USING btree (subject_id);

--
-- Name: component_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX component_current ON public.component_version USING btree (component_id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: discrepancy_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX discrepancy_current ON public.discrepancy_version USING btree (discrepancy_id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: discrepancy_owner; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX discrepancy_owner ON public.discrepancy_version USING btree (owner_key);

--
-- Name: discrepancy_risk_owner; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX discrepancy_risk_owner ON public.discrepancy_version USING btree (risk_owner_key);

--
-- Name: evidence_address; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX evidence_address ON public.evidence USING btree (subject_id, statement, url, id) WHERE (url <> ''::text);

--
-- Name: evidence_newest; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX evidence_newest ON public.evidence USING btree (subject_id, statement, kind, observed_at DESC, id DESC);

--
-- Name: evidence_once; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX evidence_once ON public.evidence USING btree (run_id, subject_id, statement, case_id, path, direction, expected, run, occurrence) WHERE (run_id IS NOT NULL);

--
-- Name: evidence_run; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX evidence_run ON public.evidence USING btree (run_id) WHERE (run_id IS NOT NULL);

--
-- Name: evidence_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX evidence_subject ON public.evidence USING btree (subject_id, statement, id);

--
-- Name: person_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX person_current ON public.person_version USING btree (person_id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: person_email; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX person_email ON public.person_version USING btree (lower(email)) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: person_secret_person; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX person_secret_person ON public.person_secret USING btree (person_id, id DESC);

--
-- Name: requirement_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX requirement_current ON public.requirement_version USING btree (subject_id, statement) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: requirement_owner; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX requirement_owner ON public.requirement_version USING btree (owner_key);

--
-- Name: revocation_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX revocation_subject ON public.revocation USING btree (subject_id);

--
-- Name: ruling_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX ruling_subject ON public.ruling USING btree (subject_id, statement);

--
-- Name: run_recent; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX run_recent ON public.run USING btree (recorded_at DESC, id DESC);

--
-- Name: run_runtime; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX run_runtime ON public.run USING btree (runtime_id, id DESC);

--
-- Name: runtime_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX runtime_current ON public.runtime_version USING btree (runtime_id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: runtime_link_component; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX runtime_link_component ON public.runtime_link USING btree (component_id);

--
-- Name: runtime_link_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX runtime_link_current ON public.runtime_link USING btree (runtime_id, component_id) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: session_expiry; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX session_expiry ON public.session USING btree (expires_at);

--
-- Name: sighting_evidence; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX sighting_evidence ON public.sighting USING btree (evidence_id);

--
-- Name: sign_in_email; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX sign_in_email ON public.sign_in USING btree (lower(email), recorded_at);

--
-- Name: sign_in_person; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX sign_in_person ON public.sign_in USING btree (person_id, recorded_at DESC) WHERE succeeded;

--
-- Name: subject_portfolio; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX subject_portfolio ON public.subject USING btree (portfolio_id);

--
-- Name: target_subject; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX target_subject ON public.target USING btree (subject_id, recorded_at DESC);

--
-- Name: verdict_closed; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX verdict_closed ON public.verdict USING btree (recorded_to DESC) WHERE (recorded_to < 'infinity'::timestamp with time zone);

--
-- Name: verdict_current; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE UNIQUE INDEX verdict_current ON public.verdict USING btree (subject_id, statement) INCLUDE (label, met, required, changes_at, rung) WHERE (recorded_to = 'infinity'::timestamp with time zone);

--
-- Name: verdict_due; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX verdict_due ON public.verdict USING btree (changes_at) WHERE ((recorded_to = 'infinity'::timestamp with time zone) AND (changes_at < 'infinity'::timestamp with time zone));

--
-- Name: verdict_past; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX verdict_past ON public.verdict USING btree (recorded_to, recorded_from) INCLUDE (subject_id, statement, label, met, required, changes_at, rung);

--
-- Name: verdict_recent; Type: INDEX; Schema: public; Owner: demarc_owner
--

CREATE INDEX verdict_recent ON public.verdict USING btree (recorded_from DESC);

--
-- Name: acceptance audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.acceptance REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.artefact REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact_chunk audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.artefact_chunk REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('body');

--
-- Name: catalogue_claim audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.catalogue_claim REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: catalogue_system audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.catalogue_system REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: closure audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.closure REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.component REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component_version audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.component_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.discrepancy REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy_version audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.discrepancy_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: evidence audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.evidence REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: evidence_withdrawal audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.evidence_withdrawal REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: invitation audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.invitation REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: person audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.person REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: person_secret audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.person_secret REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('hash');

--
-- Name: person_version audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.person_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: policy audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.policy REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: portfolio audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.portfolio REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: requirement_version audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.requirement_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: revocation audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.revocation REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: ruling audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.ruling REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.run REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run_receipt audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.run_receipt REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.runtime REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_link audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.runtime_link REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_version audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.runtime_version REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sighting audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.sighting REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sign_in audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.sign_in REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: subject audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.subject REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: target audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.target REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: token audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.token REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: verdict audit_delete; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_delete AFTER DELETE ON public.verdict REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: acceptance audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.acceptance REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.artefact REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact_chunk audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.artefact_chunk REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('body');

--
-- Name: catalogue_claim audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.catalogue_claim REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: catalogue_system audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.catalogue_system REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: closure audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.closure REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.component REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component_version audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.component_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.discrepancy REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy_version audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.discrepancy_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: evidence audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.evidence REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_evidence();

--
-- Name: evidence_withdrawal audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.evidence_withdrawal REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: invitation audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.invitation REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: person audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.person REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: person_secret audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.person_secret REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('hash');

--
-- Name: person_version audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.person_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: policy audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.policy REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: portfolio audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.portfolio REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: requirement_version audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.requirement_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: revocation audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.revocation REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: ruling audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.ruling REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.run REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run_receipt audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.run_receipt REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.runtime REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_link audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.runtime_link REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_version audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.runtime_version REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sighting audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.sighting REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sign_in audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.sign_in REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: subject audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.subject REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: target audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.target REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: token audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.token REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: verdict audit_insert; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_insert AFTER INSERT ON public.verdict REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: acceptance audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.acceptance REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.artefact REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: artefact_chunk audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.artefact_chunk REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('body');

--
-- Name: catalogue_claim audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.catalogue_claim REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: catalogue_system audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.catalogue_system REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: closure audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.closure REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.component REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: component_version audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.component_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.discrepancy REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: discrepancy_version audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.discrepancy_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: evidence audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.evidence REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: evidence_withdrawal audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.evidence_withdrawal REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: invitation audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.invitation REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: person audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.person REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: person_secret audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.person_secret REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('hash');

--
-- Name: person_version audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.person_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: policy audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.policy REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: portfolio audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.portfolio REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: requirement_version audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.requirement_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: revocation audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.revocation REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: ruling audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.ruling REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.run REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: run_receipt audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.run_receipt REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.runtime REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_link audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.runtime_link REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: runtime_version audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.runtime_version REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sighting audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.sighting REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: sign_in audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.sign_in REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: subject audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.subject REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: target audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.target REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: token audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.token REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement('token_hash');

--
-- Name: verdict audit_update; Type: TRIGGER; Schema: public; Owner: demarc_owner
--

CREATE TRIGGER audit_update AFTER UPDATE ON public.verdict REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.audit_statement();

--
-- Name: acceptance acceptance_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.acceptance
    ADD CONSTRAINT acceptance_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: artefact_chunk artefact_chunk_portfolio_id_sha256_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.artefact_chunk
    ADD CONSTRAINT artefact_chunk_portfolio_id_sha256_fkey FOREIGN KEY (portfolio_id, sha256) REFERENCES public.artefact(portfolio_id, sha256);

--
-- Name: artefact artefact_portfolio_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.artefact
    ADD CONSTRAINT artefact_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES public.portfolio(id);

--
-- Name: closure closure_evidence_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.closure
    ADD CONSTRAINT closure_evidence_id_fkey FOREIGN KEY (evidence_id) REFERENCES public.evidence(id);

--
-- Name: closure closure_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.closure
    ADD CONSTRAINT closure_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: component component_portfolio_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component
    ADD CONSTRAINT component_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES public.portfolio(id);

--
-- Name: component component_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component
    ADD CONSTRAINT component_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: component_version component_version_component_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.component_version
    ADD CONSTRAINT component_version_component_id_fkey FOREIGN KEY (component_id) REFERENCES public.component(id);

--
-- Name: discrepancy discrepancy_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.discrepancy
    ADD CONSTRAINT discrepancy_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: discrepancy_version discrepancy_version_discrepancy_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.discrepancy_version
    ADD CONSTRAINT discrepancy_version_discrepancy_id_fkey FOREIGN KEY (discrepancy_id) REFERENCES public.discrepancy(id);

--
-- Name: evidence evidence_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id);

--
-- Name: evidence evidence_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: evidence_withdrawal evidence_withdrawal_evidence_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.evidence_withdrawal
    ADD CONSTRAINT evidence_withdrawal_evidence_id_fkey FOREIGN KEY (evidence_id) REFERENCES public.evidence(id);

--
-- Name: invitation invitation_person_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);

--
-- Name: look look_person_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.look
    ADD CONSTRAINT look_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);

--
-- Name: person_secret person_secret_person_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.person_secret
    ADD CONSTRAINT person_secret_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);

--
-- Name: person_version person_version_person_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.person_version
    ADD CONSTRAINT person_version_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);

--
-- Name: requirement_version requirement_version_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.requirement_version
    ADD CONSTRAINT requirement_version_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: revocation revocation_acceptance_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES public.acceptance(id);

--
-- Name: revocation revocation_closure_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_closure_id_fkey FOREIGN KEY (closure_id) REFERENCES public.closure(id);

--
-- Name: revocation revocation_ruling_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_ruling_id_fkey FOREIGN KEY (ruling_id) REFERENCES public.ruling(id);

--
-- Name: revocation revocation_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.revocation
    ADD CONSTRAINT revocation_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: ruling ruling_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.ruling
    ADD CONSTRAINT ruling_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: run run_portfolio_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES public.portfolio(id);

--
-- Name: run_receipt run_receipt_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run_receipt
    ADD CONSTRAINT run_receipt_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.run(id) ON DELETE CASCADE;

--
-- Name: run run_runtime_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.run
    ADD CONSTRAINT run_runtime_id_fkey FOREIGN KEY (runtime_id) REFERENCES public.runtime(id);

--
-- Name: runtime_link runtime_link_component_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime_link
    ADD CONSTRAINT runtime_link_component_id_fkey FOREIGN KEY (component_id) REFERENCES public.component(id);

--
-- Name: runtime_link runtime_link_runtime_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime_link
    ADD CONSTRAINT runtime_link_runtime_id_fkey FOREIGN KEY (runtime_id) REFERENCES public.runtime(id);

--
-- Name: runtime runtime_portfolio_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime
    ADD CONSTRAINT runtime_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES public.portfolio(id);

--
-- Name: runtime runtime_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime
    ADD CONSTRAINT runtime_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: runtime_version runtime_version_runtime_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.runtime_version
    ADD CONSTRAINT runtime_version_runtime_id_fkey FOREIGN KEY (runtime_id) REFERENCES public.runtime(id);

--
-- Name: sighting sighting_discrepancy_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_discrepancy_id_fkey FOREIGN KEY (discrepancy_id) REFERENCES public.discrepancy(id);

--
-- Name: sighting sighting_evidence_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_evidence_id_fkey FOREIGN KEY (evidence_id) REFERENCES public.evidence(id);

--
-- Name: sighting sighting_target_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sighting
    ADD CONSTRAINT sighting_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.target(id);

--
-- Name: sign_in sign_in_person_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.sign_in
    ADD CONSTRAINT sign_in_person_id_fkey FOREIGN KEY (person_id) REFERENCES public.person(id);

--
-- Name: subject subject_portfolio_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.subject
    ADD CONSTRAINT subject_portfolio_id_fkey FOREIGN KEY (portfolio_id) REFERENCES public.portfolio(id);

--
-- Name: target target_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.target
    ADD CONSTRAINT target_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: token_use token_use_token_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.token_use
    ADD CONSTRAINT token_use_token_id_fkey FOREIGN KEY (token_id) REFERENCES public.token(id);

--
-- Name: verdict verdict_subject_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: demarc_owner
--

ALTER TABLE ONLY public.verdict
    ADD CONSTRAINT verdict_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES public.subject(id);

--
-- Name: acceptance; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.acceptance ENABLE ROW LEVEL SECURITY;

--
-- Name: acceptance acceptance_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY acceptance_all ON public.acceptance USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = acceptance.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: artefact; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.artefact ENABLE ROW LEVEL SECURITY;

--
-- Name: artefact artefact_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY artefact_all ON public.artefact USING (public.in_scope(portfolio_id)) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: artefact_chunk; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.artefact_chunk ENABLE ROW LEVEL SECURITY;

--
-- Name: artefact_chunk artefact_chunk_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY artefact_chunk_all ON public.artefact_chunk USING (public.in_scope(portfolio_id)) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: audit; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.audit ENABLE ROW LEVEL SECURITY;

--
-- Name: audit audit_read; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY audit_read ON public.audit FOR SELECT USING ((current_setting('demarc.scope'::text, true) = '*'::text));

--
-- Name: audit_seal; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.audit_seal ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_seal audit_seal_read; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY audit_seal_read ON public.audit_seal FOR SELECT USING (true);

--
-- Name: catalogue_claim; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.catalogue_claim ENABLE ROW LEVEL SECURITY;

--
-- Name: catalogue_claim catalogue_claim_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY catalogue_claim_all ON public.catalogue_claim USING (true) WITH CHECK (public.scope_is_all());

--
-- Name: catalogue_system; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.catalogue_system ENABLE ROW LEVEL SECURITY;

--
-- Name: catalogue_system catalogue_system_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY catalogue_system_all ON public.catalogue_system USING (true) WITH CHECK (public.scope_is_all());

--
-- Name: closure; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.closure ENABLE ROW LEVEL SECURITY;

--
-- Name: closure closure_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY closure_all ON public.closure USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = closure.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: component; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.component ENABLE ROW LEVEL SECURITY;

--
-- Name: component component_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY component_all ON public.component USING ((( SELECT public.scope_is_all() AS scope_is_all) OR public.in_scope(portfolio_id))) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: component_version; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.component_version ENABLE ROW LEVEL SECURITY;

--
-- Name: component_version component_version_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY component_version_all ON public.component_version USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.component n
  WHERE (n.id = component_version.component_id))))) WITH CHECK ((component_id IN ( SELECT component.id
   FROM public.component)));

--
-- Name: discrepancy; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.discrepancy ENABLE ROW LEVEL SECURITY;

--
-- Name: discrepancy discrepancy_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY discrepancy_all ON public.discrepancy USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = discrepancy.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: discrepancy_version; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.discrepancy_version ENABLE ROW LEVEL SECURITY;

--
-- Name: discrepancy_version discrepancy_version_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY discrepancy_version_all ON public.discrepancy_version USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.discrepancy n
  WHERE (n.id = discrepancy_version.discrepancy_id))))) WITH CHECK ((discrepancy_id IN ( SELECT discrepancy.id
   FROM public.discrepancy)));

--
-- Name: evidence; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.evidence ENABLE ROW LEVEL SECURITY;

--
-- Name: evidence evidence_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY evidence_all ON public.evidence USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = evidence.subject_id))))) WITH CHECK ((( SELECT public.scope_is_all() AS scope_is_all) OR (subject_id IN ( SELECT subject.id
   FROM public.subject))));

--
-- Name: evidence_withdrawal; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.evidence_withdrawal ENABLE ROW LEVEL SECURITY;

--
-- Name: evidence_withdrawal evidence_withdrawal_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY evidence_withdrawal_all ON public.evidence_withdrawal USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.evidence n
  WHERE (n.id = evidence_withdrawal.evidence_id))))) WITH CHECK ((evidence_id IN ( SELECT evidence.id
   FROM public.evidence)));

--
-- Name: invitation; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.invitation ENABLE ROW LEVEL SECURITY;

--
-- Name: invitation invitation_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY invitation_all ON public.invitation USING (true) WITH CHECK (true);

--
-- Name: look; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.look ENABLE ROW LEVEL SECURITY;

--
-- Name: look look_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY look_all ON public.look USING (true) WITH CHECK (true);

--
-- Name: person; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.person ENABLE ROW LEVEL SECURITY;

--
-- Name: person person_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY person_all ON public.person USING (true) WITH CHECK (true);

--
-- Name: person_secret; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.person_secret ENABLE ROW LEVEL SECURITY;

--
-- Name: person_secret person_secret_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY person_secret_all ON public.person_secret USING (true) WITH CHECK (true);

--
-- Name: person_version; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.person_version ENABLE ROW LEVEL SECURITY;

--
-- Name: person_version person_version_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY person_version_all ON public.person_version USING (true) WITH CHECK (true);

--
-- Name: policy; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.policy ENABLE ROW LEVEL SECURITY;

--
-- Name: policy policy_read; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY policy_read ON public.policy FOR SELECT USING (true);

--
-- Name: policy policy_write; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY policy_write ON public.policy FOR INSERT WITH CHECK ((current_setting('demarc.scope'::text, true) = '*'::text));

--
-- Name: portfolio; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.portfolio ENABLE ROW LEVEL SECURITY;

--
-- Name: portfolio portfolio_read; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY portfolio_read ON public.portfolio FOR SELECT USING (public.in_scope(id));

--
-- Name: portfolio portfolio_write; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY portfolio_write ON public.portfolio FOR INSERT WITH CHECK ((current_setting('demarc.scope'::text, true) = '*'::text));

--
-- Name: requirement_version; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.requirement_version ENABLE ROW LEVEL SECURITY;

--
-- Name: requirement_version requirement_version_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY requirement_version_all ON public.requirement_version USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = requirement_version.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: result; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.result ENABLE ROW LEVEL SECURITY;

--
-- Name: result result_read; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY result_read ON public.result FOR SELECT USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (run_id IN ( SELECT run.id
   FROM public.run))));

--
-- Name: revocation; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.revocation ENABLE ROW LEVEL SECURITY;

--
-- Name: revocation revocation_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY revocation_all ON public.revocation USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = revocation.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: ruling; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.ruling ENABLE ROW LEVEL SECURITY;

--
-- Name: ruling ruling_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY ruling_all ON public.ruling USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = ruling.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: run; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.run ENABLE ROW LEVEL SECURITY;

--
-- Name: run run_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY run_all ON public.run USING ((( SELECT public.scope_is_all() AS scope_is_all) OR public.in_scope(portfolio_id))) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: run_receipt; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.run_receipt ENABLE ROW LEVEL SECURITY;

--
-- Name: run_receipt run_receipt_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY run_receipt_all ON public.run_receipt USING ((run_id IN ( SELECT run.id
   FROM public.run))) WITH CHECK ((run_id IN ( SELECT run.id
   FROM public.run)));

--
-- Name: runtime; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.runtime ENABLE ROW LEVEL SECURITY;

--
-- Name: runtime runtime_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY runtime_all ON public.runtime USING ((( SELECT public.scope_is_all() AS scope_is_all) OR public.in_scope(portfolio_id))) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: runtime_link; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.runtime_link ENABLE ROW LEVEL SECURITY;

--
-- Name: runtime_link runtime_link_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY runtime_link_all ON public.runtime_link USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.runtime n
  WHERE (n.id = runtime_link.runtime_id))))) WITH CHECK (((runtime_id IN ( SELECT runtime.id
   FROM public.runtime)) AND (component_id IN ( SELECT component.id
   FROM public.component))));

--
-- Name: runtime_version; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.runtime_version ENABLE ROW LEVEL SECURITY;

--
-- Name: runtime_version runtime_version_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY runtime_version_all ON public.runtime_version USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.runtime n
  WHERE (n.id = runtime_version.runtime_id))))) WITH CHECK ((runtime_id IN ( SELECT runtime.id
   FROM public.runtime)));

--
-- Name: session; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.session ENABLE ROW LEVEL SECURITY;

--
-- Name: session session_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY session_all ON public.session USING (true) WITH CHECK (true);

--
-- Name: sighting; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.sighting ENABLE ROW LEVEL SECURITY;

--
-- Name: sighting sighting_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY sighting_all ON public.sighting USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.discrepancy n
  WHERE (n.id = sighting.discrepancy_id))))) WITH CHECK ((discrepancy_id IN ( SELECT discrepancy.id
   FROM public.discrepancy)));

--
-- Name: sign_in; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.sign_in ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in sign_in_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY sign_in_all ON public.sign_in USING (true) WITH CHECK (true);

--
-- Name: subject; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.subject ENABLE ROW LEVEL SECURITY;

--
-- Name: subject subject_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY subject_all ON public.subject USING ((( SELECT public.scope_is_all() AS scope_is_all) OR public.in_scope(portfolio_id))) WITH CHECK (public.in_scope(portfolio_id));

--
-- Name: target; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.target ENABLE ROW LEVEL SECURITY;

--
-- Name: target target_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY target_all ON public.target USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = target.subject_id))))) WITH CHECK ((subject_id IN ( SELECT subject.id
   FROM public.subject)));

--
-- Name: token; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.token ENABLE ROW LEVEL SECURITY;

--
-- Name: token token_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY token_all ON public.token USING (true) WITH CHECK (true);

--
-- Name: token_use; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.token_use ENABLE ROW LEVEL SECURITY;

--
-- Name: token_use token_use_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY token_use_all ON public.token_use USING (true) WITH CHECK (true);

--
-- Name: verdict; Type: ROW SECURITY; Schema: public; Owner: demarc_owner
--

ALTER TABLE public.verdict ENABLE ROW LEVEL SECURITY;

--
-- Name: verdict verdict_all; Type: POLICY; Schema: public; Owner: demarc_owner
--

CREATE POLICY verdict_all ON public.verdict USING ((( SELECT public.scope_is_all() AS scope_is_all) OR (EXISTS ( SELECT
   FROM public.subject n
  WHERE (n.id = verdict.subject_id))))) WITH CHECK ((( SELECT public.scope_is_all() AS scope_is_all) OR (subject_id IN ( SELECT subject.id
   FROM public.subject))));

--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: demarc_owner
--

GRANT USAGE ON SCHEMA public TO demarc_app;
GRANT USAGE ON SCHEMA public TO demarc_login;

--
-- Name: TABLE person_version; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.person_version TO demarc_app;

--
-- Name: COLUMN person_version.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.person_version TO demarc_app;

--
-- Name: TABLE token; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.token TO demarc_app;

--
-- Name: COLUMN token.revoked_at; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(revoked_at) ON TABLE public.token TO demarc_app;

--
-- Name: FUNCTION attach_run(run bigint); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.attach_run(run bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.attach_run(run bigint) TO demarc_app;

--
-- Name: FUNCTION audit_table(relation regclass, VARIADIC hidden text[]); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.audit_table(relation regclass, VARIADIC hidden text[]) FROM PUBLIC;

--
-- Name: FUNCTION audit_write(relation text, op text, row_count integer, rows jsonb); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.audit_write(relation text, op text, row_count integer, rows jsonb) FROM PUBLIC;

--
-- Name: FUNCTION close_run(run bigint, digest bytea); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.close_run(run bigint, digest bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_run(run bigint, digest bytea) TO demarc_app;

--
-- Name: FUNCTION open_run(run bigint); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.open_run(run bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_run(run bigint) TO demarc_app;

--
-- Name: FUNCTION remove_sample(removed bigint); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.remove_sample(removed bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.remove_sample(removed bigint) TO demarc_app;

--
-- Name: FUNCTION runtimes_outside(known timestamp with time zone); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.runtimes_outside(known timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.runtimes_outside(known timestamp with time zone) TO demarc_app;

--
-- Name: FUNCTION seal_audit(); Type: ACL; Schema: public; Owner: demarc_owner
--

REVOKE ALL ON FUNCTION public.seal_audit() FROM PUBLIC;
GRANT ALL ON FUNCTION public.seal_audit() TO demarc_app;

--
-- Name: TABLE acceptance; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.acceptance TO demarc_app;

--
-- Name: TABLE artefact; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.artefact TO demarc_app;

--
-- Name: TABLE artefact_chunk; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.artefact_chunk TO demarc_app;

--
-- Name: TABLE audit; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT ON TABLE public.audit TO demarc_app;

--
-- Name: TABLE audit_seal; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT ON TABLE public.audit_seal TO demarc_app;

--
-- Name: TABLE catalogue_claim; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.catalogue_claim TO demarc_app;

--
-- Name: COLUMN catalogue_claim.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.catalogue_claim TO demarc_app;

--
-- Name: TABLE catalogue_system; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.catalogue_system TO demarc_app;

--
-- Name: COLUMN catalogue_system.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.catalogue_system TO demarc_app;

--
-- Name: TABLE closure; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.closure TO demarc_app;

--
-- Name: TABLE component; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.component TO demarc_app;

--
-- Name: TABLE component_version; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.component_version TO demarc_app;

--
-- Name: COLUMN component_version.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.component_version TO demarc_app;

--
-- Name: TABLE discrepancy; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.discrepancy TO demarc_app;

--
-- Name: TABLE discrepancy_version; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.discrepancy_version TO demarc_app;

--
-- Name: COLUMN discrepancy_version.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.discrepancy_version TO demarc_app;

--
-- Name: TABLE evidence; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.evidence TO demarc_app;

--
-- Name: TABLE evidence_withdrawal; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.evidence_withdrawal TO demarc_app;

--
-- Name: TABLE invitation; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.invitation TO demarc_app;

--
-- Name: COLUMN invitation.used_at; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(used_at) ON TABLE public.invitation TO demarc_app;

--
-- Name: TABLE look; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.look TO demarc_app;

--
-- Name: TABLE person; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.person TO demarc_app;

--
-- Name: TABLE person_secret; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.person_secret TO demarc_app;

--
-- Name: TABLE policy; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.policy TO demarc_app;

--
-- Name: TABLE portfolio; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.portfolio TO demarc_app;

--
-- Name: TABLE requirement_version; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.requirement_version TO demarc_app;

--
-- Name: COLUMN requirement_version.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.requirement_version TO demarc_app;

--
-- Name: TABLE result; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT ON TABLE public.result TO demarc_app;

--
-- Name: TABLE revocation; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.revocation TO demarc_app;

--
-- Name: TABLE ruling; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.ruling TO demarc_app;

--
-- Name: TABLE run; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.run TO demarc_app;

--
-- Name: TABLE run_receipt; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.run_receipt TO demarc_app;

--
-- Name: TABLE runtime; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.runtime TO demarc_app;

--
-- Name: TABLE runtime_link; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.runtime_link TO demarc_app;

--
-- Name: COLUMN runtime_link.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.runtime_link TO demarc_app;

--
-- Name: TABLE runtime_version; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.runtime_version TO demarc_app;

--
-- Name: COLUMN runtime_version.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.runtime_version TO demarc_app;

--
-- Name: TABLE session; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.session TO demarc_app;

--
-- Name: TABLE sighting; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.sighting TO demarc_app;

--
-- Name: TABLE sign_in; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.sign_in TO demarc_app;

--
-- Name: TABLE subject; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.subject TO demarc_app;

--
-- Name: TABLE target; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.target TO demarc_app;

--
-- Name: TABLE token_use; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.token_use TO demarc_app;

--
-- Name: TABLE verdict; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT SELECT,INSERT ON TABLE public.verdict TO demarc_app;

--
-- Name: COLUMN verdict.recorded_to; Type: ACL; Schema: public; Owner: demarc_owner
--

GRANT UPDATE(recorded_to) ON TABLE public.verdict TO demarc_app;

--
-- PostgreSQL database dump complete
--
