-- lookup.meaning_of: if the given vector has another number of dimensions, it comes from a model that has just been
-- replaced. The function then returns null.
create or replace function lookup.meaning_of(p_query text, p_vector ext.vector)
returns ext.vector
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_vector ext.vector := p_vector;
begin
    if v_vector is null and core.has_capability('embed') then
        v_vector := search.embed_goal(left(p_query, 1000), p_is_name => true);
    end if;
    if ext.vector_dims(v_vector) is distinct from (search.goal_model()).dimension then
        return null;
    end if;
    return v_vector;
end
$function$;
comment on function lookup.meaning_of(text, ext.vector) is
'Returns the vector of a query to a lookup table. Arguments: p_query: the query; p_vector: vector of the query in the '
'active model (null: compute a vector in the database). Returns null if the database cannot compute a vector, or if '
'the vector has a different number of dimensions from the model''s vectors.';
grant execute on function lookup.meaning_of to qm_reader;
