-- search.put_model: registers an embedding model and makes its indexes; several live side by side, one answers queries.
-- Raises: QM409 model_conflict.  Writes: search.model; creates indexes.
create or replace function search.put_model(p_name text, p_dimension integer, p_active boolean)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model search.model;
begin
    insert into search.model as m (name, dimension) values (p_name, p_dimension) on conflict (name) do nothing;
    select * into strict v_model from search.model as m where m.name = p_name for update;
    if v_model.dimension <> p_dimension then
        perform core.fail(
            'model_conflict', format('model %L is registered with %s dimensions, not %s', p_name, v_model.dimension, p_dimension)
        );
    end if;
    if p_active and not v_model.active then
        update search.model as m set active = false where m.active;
        update search.model as m set active = true where m.id = v_model.id;
    end if;
    perform search.create_vector_indexes();
    return v_model.id;
end
$function$;
comment on function search.put_model(text, integer, boolean) is 'Arguments: name, number of dimensions, whether queries use it from now on. Returns its id.';
