-- api.list_breakers: origins that are not called at the moment, of those that the caller may see.
create or replace function api.list_breakers()
returns table (origin_id bigint, origin text, state text, until timestamptz, because text, trips integer, opened_at timestamptz)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select b.origin_id, o.name, b.state, coalesce(b.probe_until, b.open_until), b.because, b.trips, b.opened_at
    from calls.breaker as b
    inner join catalog.origin as o on o.id = b.origin_id
    where b.state <> 'closed'
    order by o.name;
$function$;
comment on function api.list_breakers() is 'Origin, state (open: not called until then; half_open: one call is trying it), why, how often in a row, since when.';
grant execute on function api.list_breakers to qm_user;
