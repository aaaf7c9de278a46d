-- Writes: catalog.origin, policy.rights_class.
create or replace function catalog.classify_origins(p_origin_ids bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items policy.item[];
begin
    select array_agg((o.id, 'origin', o.name, null, '{}', null, null)::policy.item)
    into v_items
    from catalog.origin as o
    where p_origin_ids is null or o.id = any(p_origin_ids);
    update catalog.origin as o
    set rights_class = c.rights_class
    from policy.classify(v_items) as c
    where o.id = c.ref and o.rights_class is distinct from c.rights_class;
end
$function$;
comment on function catalog.classify_origins(bigint[]) is
'Updates the rights classes of origins. (The same access rules apply to everything in a rights class.) The function '
'does not change the rights classes of the origins'' items. Argument p_origin_ids: ids of the origins (null: all '
'origins).';
