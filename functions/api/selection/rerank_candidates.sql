-- api.rerank_candidates: the scores from the cross-encoder are then passed to api.search_tools, which does not search
-- again, because it uses the same pool (selection.find_pool). api.rerank_candidates writes no receipt.
-- Writes: selection.pool.
create or replace function api.rerank_candidates(
    goal text,
    mode text default 'balanced',
    kinds text[] default null,
    query_vector ext.vector default null,
    scope jsonb default null
)
returns table (card_id bigint, text text, score real)
language plpgsql
volatile parallel unsafe security definer
rows 32
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds constant text[] := search.require_kinds(rerank_candidates.kinds);
    v_goal constant text := selection.require_goal(rerank_candidates.goal);
    v_scope constant jsonb := selection.require_scope(rerank_candidates.scope);
    v_mode constant selection.mode := selection.choose_mode(rerank_candidates.mode, v_goal);
begin
    if v_mode.rerank = 0 then
        return;
    end if;

    return query
    select c.id, c.embedding_text, f.score
    from unnest(v_kinds) as k (kind)
    cross join lateral selection.find_pool(k.kind, v_goal, rerank_candidates.query_vector, v_mode, v_scope) as p
    cross join lateral unnest(p.cards) as f
    inner join search.card as c on c.id = f.card_id
    order by f.score desc, f.card_id
    limit v_mode.rerank;
end
$function$;
comment on function api.rerank_candidates(text, text, text[], ext.vector, jsonb) is
'Finds the candidates that a cross-encoder should read for a search. Arguments: goal: what the caller wants to do; '
'mode: name of the search mode; kinds: kinds of card to search; query_vector: embedding of the goal (null: the '
'database computes the vector, if the database has an embedding model); scope: as in search_cards. The search that '
'follows must get the same five arguments. Returns the candidates, best first, each with the id of the card, the text '
'that the cross-encoder should read, and the score from the initial search. The setting rerank of the mode is the '
'number of candidates. If this setting is 0, the function returns no rows. Raises QM404 kind_not_found, QM413 '
'goal_too_long, QM422 goal_empty, mode_unknown, dimension_mismatch.';
alter function api.rerank_candidates owner to qm_reader;
grant execute on function api.rerank_candidates to qm_user;
