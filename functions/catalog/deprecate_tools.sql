-- catalog.deprecate_tools: tools of an origin not seen since a moment are offered no more: not found, not called, not deleted.
-- Writes: catalog.tool, cards.
create or replace function catalog.deprecate_tools(p_origin_id bigint, p_seen_before timestamptz)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_tool_ids bigint[];
begin
    with gone as (
        update catalog.tool as t
        set deprecated_at = core.now()
        where t.origin_id = p_origin_id and t.deprecated_at is null and t.last_seen_at < p_seen_before
        returning t.id
    )

    select array_agg(g.id) into v_tool_ids from gone as g;
    if v_tool_ids is null then
        return 0;
    end if;
    perform search.remove_cards('tool', v_tool_ids);
    return cardinality(v_tool_ids);
end
$function$;
comment on function catalog.deprecate_tools(bigint, timestamptz) is 'Arguments: origin, moment. Returns how many tools were deprecated.';
