-- search.embed_in_context: the function uses the vector of the whole goal and the vector of the whole context. It does
-- not use the vectors of their sentences.
create or replace function search.embed_in_context(p_goal text, p_context text, p_share real)
returns ext.vector
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_dimension constant integer := (search.goal_model()).dimension;
    v_goal constant ext.vector := search.embed_goal(p_goal);
begin
    if v_goal is null or p_share = 0 then
        return v_goal;
    end if;
    return ext.l2_normalize(
        search.scaled(ext.subvector(v_goal, 1, v_dimension), (1 - p_share)::real)
        operator(ext.+) search.scaled(ext.subvector(search.embed_goal(left(p_context, 8000)), 1, v_dimension), p_share)
    );
end
$function$;
comment on function search.embed_in_context(text, text, real) is
'Computes the vector of a goal in its context. Arguments: p_goal: the goal; p_context: text that was said before the '
'goal; p_share: share of the context in the vector, from 0 to 1 (0: the context is ignored). Returns the unit vector. '
'If the database has no embedding model, raises a NOTICE and returns null.';
grant execute on function search.embed_in_context to qm_reader;
