-- catalog.classify_items: rules name an item by the name that clients use, or by its URI at the origin. A new
-- name from a repair does not count: otherwise a renamed item would get other rights. Only rows whose class changes are
-- written.
-- Writes: catalog.item, cards, policy.rights_class.
create or replace function catalog.classify_items(p_item_ids bigint[] default null)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_items policy.item[];
    v_refs bigint[];
    v_classes integer[];
begin
    select array_agg(
        (
            i.id,
            i.kind,
            o.name,
            case k.naming
                when 'own' then i.name
                else coalesce(i.definition #>> '{repair,listed_as}', i.public_name)
            end,
            i.categories,
            i.traits,
            k.audience_id
        )::policy.item
    )
    into v_items
    from catalog.item as i
    inner join catalog.origin as o on o.id = i.origin_id
    inner join search.kind as k on k.name = i.kind
    where p_item_ids is null or i.id = any(p_item_ids);
    select array_agg(c.ref), array_agg(c.rights_class) into v_refs, v_classes from policy.classify(v_items) as c;

    update catalog.item as i
    set rights_class = c.rights_class
    from unnest(v_refs, v_classes) as c (id, rights_class)
    where i.id = c.id and i.rights_class is distinct from c.rights_class;
    perform search.set_rights(g.kind, g.refs, g.classes)
    from (
        select i.kind, array_agg(c.id) as refs, array_agg(c.rights_class) as classes
        from unnest(v_refs, v_classes) as c (id, rights_class)
        inner join catalog.item as i on i.id = c.id
        group by i.kind
    ) as g;
end
$function$;
comment on function catalog.classify_items(bigint[]) is
'Updates the rights classes of items and of the items'' cards after items or rules have changed. (The same access '
'rules apply to everything in a rights class.) Argument p_item_ids: ids of the items (null: all items).';
