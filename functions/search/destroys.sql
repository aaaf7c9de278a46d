-- search.destroys: the estimate is a logistic function of the goal's vector (lab/notes/selection.md#destructive-tools).
create or replace function search.destroys(p_vector ext.vector)
returns real
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select (1 / (1 + exp((p_vector operator(ext.<#>) g.weights) - g.intercept)))::real
    from search.goal_model() as m
    inner join search.destroying_goal as g on g.model = m.name
    where ext.vector_dims(g.weights) = ext.vector_dims(p_vector);
$function$;
comment on function search.destroys(ext.vector) is
'Estimates whether somebody with a given goal wants to destroy something. Argument p_vector: unit vector of the goal '
'(null: no vector). Returns the probability (0 to 1). Returns null without a vector, or if no weights have been '
'learned for the model of the vector (search.goal_model).';
