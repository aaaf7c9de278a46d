create or replace function search.measure_common(p_model_id integer, p_vector ext.vector)
returns table (highest double precision, mean double precision)
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select max(s.similarity), avg(s.similarity)
    from (
        select 1 - (p_vector operator(ext.<=>) g.vector) as similarity
        from search.model as m
        inner join search.common_goal as g on g.model = m.name
        where m.id = p_model_id and ext.vector_dims(g.vector) = ext.vector_dims(p_vector)
        offset 0 -- each similarity is computed once
    ) as s
    having count(*) > 0;
end
$function$;
comment on function search.measure_common(integer, ext.vector) is
'Computes how similar a vector is to the common goals of a model. (Common goals are vectors that represent what people '
'often ask for.) Arguments: p_model_id: id of the model; p_vector: vector of a text in this model. Returns the highest '
'and the mean cosine of the vector with a common goal. Returns no row if the model has no common goals.';
