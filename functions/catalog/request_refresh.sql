-- catalog.request_refresh: if a refresh of the origin is already waiting or running, the function returns the id of
-- that refresh.
-- Writes: catalog.refresh.
create or replace function catalog.request_refresh(p_origin_id bigint)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_refresh_id bigint;
begin
    insert into catalog.refresh (origin_id, requested_at)
    values (p_origin_id, core.now())
    on conflict (origin_id)
    where status in ('requested', 'running') do nothing
    returning id into v_refresh_id;
    if v_refresh_id is null then
        select r.id
        into v_refresh_id
        from catalog.refresh as r
        where r.origin_id = p_origin_id and r.status in ('requested', 'running');
    end if;
    perform pg_notify('qm_refresh', p_origin_id::text);
    return v_refresh_id;
end
$function$;
comment on function catalog.request_refresh(bigint) is
'Asks the service to read the lists of items of an origin again (a refresh). Argument p_origin_id: id of the origin. '
'Returns the id of the refresh. Announces the refresh on channel qm_refresh.';
