-- api.remove_origin: the items of the origin are deprecated; its history is kept.
-- Writes: catalog.origin, catalog.item, catalog.refresh, cards.
create or replace function api.remove_origin(name text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return catalog.remove_origin(catalog.origin_id(remove_origin.name));
end
$function$;
comment on function api.remove_origin(text) is
'Removes an origin from the catalog. Argument name: name of the origin. Returns how many items of the origin were '
'deprecated. If the origin is added again, its first refresh brings these items back. Raises QM404 origin_not_found.';
grant execute on function api.remove_origin to qm_operator;
