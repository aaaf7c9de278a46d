-- search.put_model: several models can exist, but searches use only one of them.
-- Writes: search.model; creates indexes.
-- Announces: qm_models.
create or replace function search.put_model(
    p_name text, p_dimension integer, p_active boolean, p_source text default null
)
returns integer
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model search.model;
begin
    insert into search.model as m (name, dimension, source)
    values (p_name, p_dimension, coalesce(p_source, p_name))
    on conflict (name) do update set source = coalesce(p_source, m.source)
    returning * into v_model;
    if v_model.dimension <> p_dimension then
        perform core.fail(
            'model_conflict',
            format('the model %L is registered with %s dimensions, got %s', p_name, v_model.dimension, p_dimension)
        );
    end if;
    if coalesce(p_active, not exists (select from search.model as m where m.active)) and not v_model.active then
        update search.model as m set active = false where m.active;
        update search.model as m set active = true where m.id = v_model.id;
    end if;
    perform search.create_vector_indexes();
    perform pg_notify('qm_models', '');
    return v_model.id;
end
$function$;
comment on function search.put_model(text, integer, boolean, text) is
'Registers an embedding model and creates the indexes for the vectors of this model. Arguments: p_name: name of the '
'embedding model; p_dimension: number of dimensions; p_active: true if searches use the model from now on (null: true '
'only if no model is active yet); p_source: source from which the service loads the model (null: p_name, or the '
'current source). Returns the id of the model. Raises QM409 model_conflict.';
