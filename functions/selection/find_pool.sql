-- selection.find_pool: with a cached pool, the second call of a reranked selection, or a repeated goal, needs no
-- search. The counters for the key are read before the search, so the pool may be newer than its key says, but never
-- older. The function does not wait for another transaction that is writing the same key. Which of several cards with
-- the same meaning can be used is not cached.
-- Definer: cached pools have no row policy; the key of a pool depends on the caller.
-- Writes: selection.pool.
create or replace function selection.find_pool(
    p_kind text,
    p_goal text,
    p_vector ext.vector,
    p_mode selection.mode,
    p_scope jsonb,
    out cards search.found[],
    out is_cached boolean
)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_ttl constant interval := (core.get_setting('pool.ttl') #>> '{}')::interval;
    v_key constant bytea := selection.pool_key(p_kind, p_goal, p_vector, p_mode, p_scope);
begin
    perform policy.require_principal();
    select p.cards into cards from selection.pool as p where p.key = v_key and p.expires_at > v_now;
    is_cached := found;
    if is_cached then
        cards := selection.prefer_available(p_kind, find_pool.cards);
        return;
    end if;

    select coalesce(array_agg(s order by s.score desc, s.card_id), '{}')
    into cards
    from search.search(
        p_kind,
        p_goal,
        coalesce(p_vector, search.embed_goal(p_goal)),
        p_mode.lexical,
        p_mode.dense,
        p_mode.fuzzy,
        p_mode.ef_search,
        array[p_mode.weight_lexical, p_mode.weight_dense, p_mode.weight_fuzzy],
        p_mode.scoring,
        p_scope
    ) as s;

    if v_ttl > interval '0' then
        perform selection.keep_pool(v_key, v_now + v_ttl, find_pool.cards);
    end if;
    cards := selection.prefer_available(p_kind, find_pool.cards);
end
$function$;
comment on function selection.find_pool(text, text, ext.vector, selection.mode, jsonb) is
'Finds the candidates for a goal, and caches these candidates for the time in the setting pool.ttl. Arguments: p_kind: '
'kind of card; p_goal: the goal; p_vector: vector of the goal (null: the database computes a vector if the database '
'has an embedding model); p_mode: the search mode; p_scope: scope of the search, as in api.search_cards (null: no '
'scope). Returns the candidates, best first, and true if the candidates come from the cache. Raises QM422 '
'dimension_mismatch.';
grant execute on function selection.find_pool to qm_reader;
