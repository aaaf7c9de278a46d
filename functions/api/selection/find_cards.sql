-- api.find_cards: the counters in its result show which state of the catalog was read; remember_cards compares them
-- with the counters of the main server.
create or replace function api.find_cards(
    goal text,
    mode text default 'balanced',
    kinds text[] default null,
    query_vector ext.vector default null,
    scope jsonb default null
)
returns table (counters text, cards jsonb)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_goal constant text := selection.require_goal(find_cards.goal);
    v_scope constant jsonb := selection.require_scope(find_cards.scope);
    v_mode constant selection.mode := selection.choose_mode(find_cards.mode, v_goal);
    v_counters constant text := selection.counters();
    v_kinds constant text[] := search.require_kinds(find_cards.kinds);
begin
    return query
    select
        v_counters,
        jsonb_object_agg(
            k.kind, selection.find_candidates(k.kind, v_goal, find_cards.query_vector, v_mode, v_scope)::text
        )
    from unnest(v_kinds) as k (kind);
end
$function$;
comment on function api.find_cards(text, text, text[], ext.vector, jsonb) is
'Finds cards for a goal without writing to the database, so that the function can run on a streaming replica. '
'Arguments: goal: what the caller wants to do; mode: name of the search mode; kinds: kinds of card to search; '
'query_vector: embedding of the goal (null: the database computes the vector, if the database has an embedding model); '
'scope: as in search_cards. Returns two values, which remember_cards takes: counters (the state of the catalog) and '
'cards (the found cards of each kind, as JSON). Raises QM404 kind_not_found, QM413 goal_too_long, QM422 goal_empty, '
'mode_unknown, dimension_mismatch.';
alter function api.find_cards owner to qm_reader;
grant execute on function api.find_cards to qm_user;
