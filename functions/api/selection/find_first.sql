-- api.find_first: for whoever wants to know what a change does to many searches. It writes neither receipts nor pools,
-- and it is not cached, so that it also sees changes of its own transaction.
create or replace function api.find_first(
    goals text[], query_vectors text[] default null, mode text default 'balanced', kind text default null
)
returns table (goal text, name text, path text, score real)
language plpgsql
volatile parallel unsafe security definer
rows 200
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kinds constant text[] := search.require_kinds(array[coalesce(find_first.kind, search.default_kind())]);
    v_mode selection.mode;
    v_vector ext.vector;
begin
    perform core.require_between(
        'the number of goals', cardinality(find_first.goals), 0, 1000, 'Ask for at most 1000 goals at a time.'
    );
    for v_position in 1..coalesce(cardinality(find_first.goals), 0) loop
        goal := selection.require_goal(find_first.goals[v_position]);
        v_mode := selection.choose_mode(find_first.mode, goal);
        v_vector := coalesce(find_first.query_vectors[v_position]::ext.vector, search.embed_goal(goal));
        name := null;
        path := null;
        score := null;
        select
            c.name,
            (
                select o.name || '/' || i.name
                from catalog.item as i
                inner join catalog.origin as o on o.id = i.origin_id
                where i.kind = c.kind and i.id = c.ref
            ),
            coalesce(c.probability, c.value)
        into name, path, score
        from selection.value_cards(
            v_kinds,
            selection.prefer_available(
                v_kinds[1], selection.find_candidates(v_kinds[1], goal, v_vector, v_mode)
            ),
            null,
            v_mode
        ) as c
        order by c.value desc, c.card_id
        limit 1;
        return next;
    end loop;
end
$function$;
comment on function api.find_first(text[], text[], text, text) is
'Finds the card that a search shows first, for many goals. Arguments: goals: the goals; query_vectors: vector of each '
'goal, as in search_cards, written as pgvector reads it (null: the database computes the vectors, if it has an '
'embedding model); mode: name of the search mode; kind: kind of card (null: the default kind). A cross-encoder is not '
'used. Returns for each goal, in the order of the argument: the goal, the name of the first card, its origin and own '
'name as origin/name, and its score. Stores no record of the searches. Raises QM404 kind_not_found, QM413 '
'goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid, dimension_mismatch. Can be null: name, path, score.';
alter function api.find_first owner to qm_reader;
grant execute on function api.find_first to qm_operator;
