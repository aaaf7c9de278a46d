-- Writes: catalog.refresh.
create or replace function catalog.refresh_all()
returns jsonb
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object('origins', count(catalog.request_refresh(o.id)))
    from catalog.origin as o
    where o.transport not in ('none', 'built-in') and o.status <> 'removed';
$function$;
comment on function catalog.refresh_all() is
'Requests a refresh of every connected origin. Returns JSON with one number: origins (number of requested refreshes).';
