-- catalog.classify_assets: the rights class of resources, templates and prompts: after they have come, or the rules have changed.
-- Rules name resources by the URI that their origin gave them, prompts as clients call them.  Writes: catalog.asset, policy.rights_class.
create or replace function catalog.classify_assets(p_asset_ids bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items policy.item[];
begin
    select array_agg((a.id, a.kind, o.name, case when a.kind in ('prompt', 'instructions') then a.public_name else a.name end, '{}', null)::policy.item)
    into v_items
    from catalog.asset as a
    inner join catalog.origin as o on o.id = a.origin_id
    where p_asset_ids is null or a.id = any(p_asset_ids);
    update catalog.asset as a
    set rights_class = c.rights_class
    from policy.classify(v_items) as c
    where a.id = c.ref and a.rights_class is distinct from c.rights_class;
end
$function$;
comment on function catalog.classify_assets(bigint[]) is 'Argument: assets, null for all of them.';
