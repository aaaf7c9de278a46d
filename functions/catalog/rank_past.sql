-- catalog.rank_past: searches of the past and explanations of them both call it, so that they cannot differ. It reads
-- the items under the row policy of the caller, so it returns only items that the caller may see.
create or replace function catalog.rank_past(
    p_kind text, p_goal text, p_vector ext.vector, p_as_of timestamptz, p_mode selection.mode
)
returns table (
    rank integer, item_id bigint, version integer, score real, lexical real, dense real, fuzzy real, sources text[]
)
language plpgsql
volatile parallel unsafe security invoker
rows 50
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select (row_number() over (order by p.score desc, i.public_name))::integer, p.*
    from catalog.search_past(
        p_kind,
        p_goal,
        p_vector,
        p_as_of,
        p_mode.lexical,
        p_mode.dense,
        p_mode.fuzzy,
        p_mode.ef_search,
        array[p_mode.weight_lexical, p_mode.weight_dense, p_mode.weight_fuzzy]
    ) as p
    inner join catalog.item as i on i.id = p.item_id
    inner join catalog.origin as o on o.id = i.origin_id
    inner join catalog.item_version as v on v.item_id = p.item_id and v.version = p.version
    order by 1;
end
$function$;
comment on function catalog.rank_past(text, text, ext.vector, timestamptz, selection.mode) is
'Ranks the items that the caller may see, as they were at a given time. Arguments: p_kind: kind of card; p_goal: the '
'goal; p_vector: vector of the goal (null: only words and names find items); p_as_of: the given time; p_mode: the '
'search mode. Returns the items, best first: rank, id, version at that time, score, the score in each channel, and the '
'channels that found the item. Raises QM422 dimension_mismatch.';
grant execute on function catalog.rank_past to qm_reader;
