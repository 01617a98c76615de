-- +goose Up

-- How many runtimes in use lie outside the reader's portfolios: the number and
-- nothing else of them. Without an instant it counts what is in force.
-- +goose StatementBegin
create function runtimes_outside(known timestamptz) returns bigint
language sql stable security definer set search_path = public, pg_temp
as $$
    select count(*)
    from runtime r join runtime_version v on v.runtime_id = r.id
    where not v.retired and not in_scope(r.portfolio_id)
        and case when known is null then v.recorded_to = 'infinity'
            else v.recorded_from <= known and v.recorded_to > known end
$$;
-- +goose StatementEnd
revoke execute on function runtimes_outside(timestamptz) from public;
grant execute on function runtimes_outside(timestamptz) to demarc_app;
