-- selection.find_pool: the cached candidates are called a pool. With a pool, a repeated goal needs no search, and the
-- second call of a reranked search needs none either. The key of the pool contains change counters, which are read
-- before the search. If data change during the search, the pool is newer than its key says, but it is never older. If
-- another transaction is writing the same pool, the function does not wait. The pool does not say which of several
-- cards with the same meaning can be used; selection.prefer_available decides this for each call.
-- Definer: callers have no permission to read or write selection.pool. They still read and write only their own pools,
-- because the key of a pool contains the caller's principal (selection.pool_key).
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

    cards := selection.find_candidates(
        p_kind, p_goal, coalesce(p_vector, search.embed_goal(p_goal)), p_mode, p_scope
    );

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
