-- catalog.deprecate_items: deprecated items can no longer be found or called, but they are not deleted.
-- Writes: catalog.item, cards.
create or replace function catalog.deprecate_items(p_origin_id bigint, p_kinds text[], p_seen_before timestamptz)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_item_ids bigint[];
begin
    with gone as (
        update catalog.item as i
        set deprecated_at = core.now()
        where i.origin_id = p_origin_id
            and i.kind = any(p_kinds)
            and i.deprecated_at is null
            and i.last_seen_at < p_seen_before
        returning i.id
    )

    select array_agg(g.id)
    into v_item_ids
    from gone as g;
    if v_item_ids is null then
        return 0;
    end if;
    perform catalog.show_items(v_item_ids);
    return cardinality(v_item_ids);
end
$function$;
comment on function catalog.deprecate_items(bigint, text[], timestamptz) is
'Deprecates items that an origin has not offered since a given time. Arguments: p_origin_id: id of the origin; '
'p_kinds: only items of these kinds are deprecated; p_seen_before: the given time. Returns how many items were '
'deprecated.';
