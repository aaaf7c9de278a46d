create or replace function api.list_breakers()
returns table (
    origin_id bigint,
    origin text,
    state text,
    until timestamptz,
    because text,
    trips integer,
    opened_at timestamptz,
    principal_id bigint
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        b.origin_id,
        o.name,
        b.state,
        coalesce(b.probe_until, b.open_until),
        b.because,
        b.trips,
        b.opened_at,
        b.principal_id
    from calls.breaker as b
    inner join catalog.origin as o on o.id = b.origin_id
    where b.state <> 'closed'
    order by o.name, b.principal_id nulls first;
$function$;
comment on function api.list_breakers() is
'Lists the circuit breakers that are open or half open. Returns for each breaker: the origin; the state of the '
'breaker (open: the origin is not called; half_open: one call is testing the origin); the time from which the next '
'call may test the origin; the reason why the breaker opened; how many times in a row the breaker has opened; the '
'time since which the breaker has been in this state; and the id of the principal whose calls the breaker stops '
'(null: the calls of all principals). Users see only the breakers for all principals and the breakers for their own '
'calls. Can be null: principal_id.';
alter function api.list_breakers owner to qm_reader;
grant execute on function api.list_breakers to qm_user;
