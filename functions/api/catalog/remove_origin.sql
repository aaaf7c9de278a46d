-- api.remove_origin: removes an origin from the catalog. Its items are deprecated; its history is kept.
-- The function runs with the rights of its owner (security definer), because only catalog functions may write to the
-- catalog. Operators may execute it.
-- Raises: QM404 origin_not_found.  Writes: catalog.origin, catalog.item, catalog.refresh, cards.
create or replace function api.remove_origin(name text)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_origin_id bigint;
    v_deprecated integer;
begin
    perform policy.require_principal();
    v_origin_id := catalog.origin_id(remove_origin.name);
    update catalog.origin as o set status = 'removed' where o.id = v_origin_id;
    delete from catalog.refresh as r where r.origin_id = v_origin_id and r.status = 'requested';
    v_deprecated := catalog.deprecate_items(v_origin_id, array(select k.name from search.kind as k), 'infinity');
    perform pg_notify('qm_origins', v_origin_id::text);
    perform pg_notify('qm_catalog', v_origin_id::text);
    return v_deprecated;
end
$function$;
comment on function api.remove_origin(text) is
'Removes an origin from the catalog. Argument name: name of the origin. Returns how many items of the origin were '
'deprecated. If the origin is added again, its first refresh brings these items back.';
grant execute on function api.remove_origin to qm_operator;
