-- api.rerank_candidates: the cards that a cross-encoder should read for a goal; search_tools takes its scores.
-- Both calls find the same pool (selection.find_pool), so the second one searches nothing. Leaves no receipt.
-- Raises: QM404 kind_not_found, QM413 goal_too_long, QM422 goal_empty, mode_unknown, dimension_mismatch.  Writes: selection.pool.
create or replace function api.rerank_candidates(
    goal text, mode text default 'balanced', kind text default 'tool', query_vector ext.vector default null
)
returns table (card_id bigint, text text, score real)
language plpgsql
volatile parallel unsafe security invoker
rows 32
set search_path = pg_catalog, pg_temp
as $function$
#variable_conflict use_column
declare
    v_goal constant text := selection.require_goal(rerank_candidates.goal);
    v_mode constant selection.mode := selection.choose_mode(rerank_candidates.mode, v_goal);
begin
    perform policy.require_principal();
    perform from search.kind as k where k.name = rerank_candidates.kind;
    if not found then
        perform core.fail('kind_not_found', format('there is no kind of card called %L', rerank_candidates.kind));
    end if;
    if v_mode.rerank = 0 then
        return;
    end if;

    return query
    select c.id, c.embedding_text, f.score
    from selection.find_pool(rerank_candidates.kind, v_goal, rerank_candidates.query_vector, v_mode) as p
    cross join lateral unnest(p.cards) with ordinality as f (card_id, score, lexical, dense, fuzzy, sources, features, position)
    inner join search.card as c on c.id = f.card_id
    order by f.position
    limit v_mode.rerank;
end
$function$;
comment on function api.rerank_candidates(text, text, text, ext.vector) is
'The mode''s first candidates for a cross-encoder, best first: card id, text to read, first-stage score. None where the mode''s rerank is 0. Arguments: goal, mode, kind, query_vector (the same as in the search that follows).';
