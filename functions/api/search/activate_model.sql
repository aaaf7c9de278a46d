-- api.activate_model: the other models are kept until somebody drops them.
-- Writes: search.model, core.setting.
-- Announces: qm_models.
create or replace function api.activate_model(name text, forced boolean default false)
returns bigint
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_model_id integer;
    v_missing bigint;
begin
    perform policy.require_principal();
    v_model_id := search.model_id(activate_model.name);
    v_missing := search.count_missing(v_model_id);
    if v_missing > 0 and not activate_model.forced then
        perform core.fail(
            'model_incomplete',
            format('%s texts do not have a vector from model %L yet', v_missing, activate_model.name)
        );
    end if;
    -- The old model is deactivated in a separate statement, because two models must never be active at the same time.
    update search.model as m set active = false where m.active and m.id <> v_model_id;
    update search.model as m set active = true where m.id = v_model_id and not m.active;
    -- If the database itself computes the vectors of goals, the setting embedding.directory must name the folder of the
    -- new model: the registered path, or a folder next to the folder of the old model.
    update core.setting as s
    set value = to_jsonb(
        case when m.source like '/%' then m.source else regexp_replace(s.value #>> '{}', '[^/]+$', m.source) end
    )
    from search.model as m
    where s.name = 'embedding.directory' and s.value <> 'null' and m.id = v_model_id;
    perform pg_notify('qm_models', '');
    return v_missing;
end
$function$;
comment on function api.activate_model(text, boolean) is
'Switches searches to the vectors of the given model. Arguments: name: name of the embedding model; forced: true to '
'switch even if some texts have no vector from this model yet. Searches find such texts only by their words until the '
'texts have a vector. Returns how many texts have no vector from this model. Raises QM404 model_not_found, QM409 '
'model_incomplete.';
grant execute on function api.activate_model to qm_operator;
