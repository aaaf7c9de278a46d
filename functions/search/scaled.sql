-- search.scaled: pgvector has no operator for this.
create or replace function search.scaled(p_vector ext.vector, p_factor real)
returns ext.vector
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_vector operator(ext.*) array_fill(p_factor, array[ext.vector_dims(p_vector)])::ext.vector;
$function$;
comment on function search.scaled(ext.vector, real) is
'Multiplies a vector by a number. Arguments: p_vector: the vector; p_factor: the number. Returns the product.';
grant execute on function search.scaled to qm_reader;
