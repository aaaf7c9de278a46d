-- catalog.remove_origin: the items of the origin are deprecated; its history is kept.
-- Writes: catalog.origin, catalog.item, catalog.refresh, cards.
-- Announces: qm_origins, qm_catalog.
create or replace function catalog.remove_origin(p_origin_id bigint)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_deprecated integer;
begin
    update catalog.origin as o set status = 'removed' where o.id = p_origin_id;
    delete from catalog.refresh as r where r.origin_id = p_origin_id and r.status = 'requested';
    v_deprecated := catalog.deprecate_items(p_origin_id, array(select k.name from search.kind as k), 'infinity');
    perform pg_notify('qm_origins', p_origin_id::text);
    perform pg_notify('qm_catalog', p_origin_id::text);
    return v_deprecated;
end
$function$;
comment on function catalog.remove_origin(bigint) is
'Removes an origin from the catalog. Argument p_origin_id: id of the origin. Returns how many items of the origin were '
'deprecated.';
