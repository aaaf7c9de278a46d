-- api.put_model: after this call, the service also computes vectors of all card texts with this model.
-- Definer: only the owner of search.embedding may create indexes on it.
-- Writes: search.model, core.setting; creates indexes.
create or replace function api.put_model(
    name text,
    dimension integer,
    active boolean default null,
    directory text default null,
    source text default null
)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id integer;
begin
    perform policy.require_principal();
    v_model_id := search.put_model(put_model.name, put_model.dimension, put_model.active, put_model.source);
    if put_model.directory is not null and (select m.active from search.model as m where m.id = v_model_id) then
        update core.setting as s
        set value = to_jsonb(put_model.directory)
        where s.name = 'embedding.directory' and s.value is distinct from to_jsonb(put_model.directory);
    end if;
    return v_model_id;
end
$function$;
comment on function api.put_model(text, integer, boolean, text, text) is
'Registers an embedding model. Arguments: name: name of the embedding model; dimension: number of dimensions; active: '
'true to make searches use the model from now on (null: only if no model is active yet); directory: folder on the '
'database server in which embed() finds the model (null: no folder is set); source: name or folder under which the '
'service finds the model. Returns the id of the model. Raises QM409 model_conflict.';
grant execute on function api.put_model to qm_operator;
