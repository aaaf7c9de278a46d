-- api.list_breakers: lists visible origins whose breaker is not closed.
create or replace function api.list_breakers()
returns table (origin_id bigint, origin text, state text, until timestamptz, because text, trips integer, opened_at timestamptz)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select b.origin_id, o.name, b.state, coalesce(b.probe_until, b.open_until), b.because, b.trips, b.opened_at
    from calls.breaker as b
    inner join catalog.origin as o on o.id = b.origin_id
    where b.state <> 'closed'
    order by o.name;
$function$;
comment on function api.list_breakers() is
'Returns the origin; the state of its breaker (open: the origin is not called until the given time; half_open: one '
'call is testing it); the reason; how many times in a row it has opened; and since when it has been in this state.';
alter function api.list_breakers owner to qm_reader;
grant execute on function api.list_breakers to qm_user;
