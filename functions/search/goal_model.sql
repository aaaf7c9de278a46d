-- search.goal_model: returns the model that computed the goal's vector, because vectors can be compared only with
-- vectors of the same model. It is the model that the caller names in the setting qm.goal_model, otherwise the active
-- model. While a new model is being activated, a process that has not loaded it yet still sends vectors of the previous
-- model. They are then compared with vectors of the previous model. Every search calls it, so it is in plpgsql, which
-- caches the plan.
create or replace function search.goal_model()
returns search.model
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := current_setting('qm.goal_model', true);
    v_model search.model;
begin
    if coalesce(v_name, '') = '' then
        select m.* into v_model from search.model as m where m.active;
    else
        select m.* into v_model from search.model as m where m.name = v_name;
    end if;
    return v_model;
end
$function$;
comment on function search.goal_model() is
'Returns the model; null if no model is active, or the named model is not registered.';
grant execute on function search.goal_model to qm_reader;
