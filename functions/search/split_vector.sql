-- search.split_vector: each part must be a unit vector. If a part is not a unit vector, the row is probably one longer
-- vector from another model. It is then not split, and search.dense refuses it.
create or replace function search.split_vector(p_vector ext.vector)
returns ext.vector[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select array_agg(p.part order by g.first)
            from search.goal_model() as m
            cross join generate_series(1, ext.vector_dims(p_vector), m.dimension) as g (first)
            cross join lateral (select ext.subvector(p_vector, g.first, m.dimension) as part) as p
            where ext.vector_dims(p_vector) % m.dimension = 0
            having bool_and(abs(ext.vector_norm(p.part) - 1) < 0.01)
        ),
        array[p_vector]
    );
$function$;
comment on function search.split_vector(ext.vector) is
'Splits a row of numbers into the vector of a goal and the vectors of the goal''s sentences. Argument p_vector: one or '
'several unit vectors in the model of the goal, in one row (null: no vector). Returns an array of vectors. If the row '
'cannot be split, the array contains the row unchanged.';
