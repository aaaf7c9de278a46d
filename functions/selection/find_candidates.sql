-- selection.find_candidates: searches and explanations of searches both call it, so that they cannot differ.
create or replace function selection.find_candidates(
    p_kind text, p_goal text, p_vector ext.vector, p_mode selection.mode, p_scope jsonb default null
)
returns search.found[]
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return array(
        select s
        from search.search(
            p_kind,
            p_goal,
            p_vector,
            p_mode.lexical,
            p_mode.dense,
            p_mode.fuzzy,
            p_mode.ef_search,
            array[p_mode.weight_lexical, p_mode.weight_dense, p_mode.weight_fuzzy],
            p_mode.scoring,
            p_scope
        ) as s
        order by s.score desc, s.card_id
    );
end
$function$;
comment on function selection.find_candidates(text, text, ext.vector, selection.mode, jsonb) is
'Finds the candidates for a goal, and caches nothing. Arguments: p_kind: kind of card; p_goal: the goal; p_vector: '
'vector of the goal (null: only words and names find cards); p_mode: the search mode; p_scope: scope of the search, as '
'in api.search_cards (null: no scope). Returns the candidates, best first. Raises QM422 dimension_mismatch.';
grant execute on function selection.find_candidates to qm_reader;
