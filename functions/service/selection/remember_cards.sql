-- service.remember_cards: the cards are stored only if the replica has the same counters as this server. Otherwise the
-- search is repeated on this server, so a replica that lags behind never changes an answer. The cards are stored as a
-- pool (cached candidates), under a key that depends on the caller. Cards that the caller may not see are left out
-- later, when their utility is computed.
-- Definer: callers have no permission to write selection.pool. They still write only their own pools, because the key
-- of a pool contains the caller's principal (selection.pool_key).
-- Writes: selection.pool.
create or replace function service.remember_cards(
    counters text,
    cards jsonb,
    goal text,
    mode text default 'balanced',
    query_vector ext.vector default null,
    scope jsonb default null
)
returns boolean
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_ttl constant interval := (core.get_setting('pool.ttl') #>> '{}')::interval;
    v_goal constant text := selection.require_goal(remember_cards.goal);
    v_mode constant selection.mode := selection.choose_mode(remember_cards.mode, v_goal);
    v_scope constant jsonb := selection.require_scope(remember_cards.scope);
    v_taken bigint;
begin
    if v_ttl <= interval '0'
        or v_principal_id is null
        or remember_cards.counters is distinct from selection.counters()
    then
        return false;
    end if;
    select count(*) filter (where selection.keep_pool(k.key, core.now() + v_ttl, f.cards::search.found[]))
    into v_taken
    from jsonb_each_text(remember_cards.cards) as f (kind, cards)
    cross join lateral (
        select selection.pool_key(f.kind, v_goal, remember_cards.query_vector, v_mode, v_scope) as key
    ) as k;
    return v_taken = (select count(*) from jsonb_object_keys(remember_cards.cards));
end
$function$;
comment on function service.remember_cards(text, jsonb, text, text, ext.vector, jsonb) is
'Stores the cards that find_cards found on a replica, as if selection.find_pool had found them on this server. '
'Arguments: counters and cards: the values that find_cards returned; goal, mode, query_vector and scope: the values '
'that were given to find_cards. Returns true if the next search for this goal will use these cards. Raises QM413 '
'goal_too_long, QM422 goal_empty, mode_unknown, 22P02 for malformed cards.';
grant execute on function service.remember_cards to qm_user;
