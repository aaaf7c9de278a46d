-- search.goal_model: while a new model is being activated, some processes have not loaded it yet and still send vectors
-- of the previous model. Such a vector is compared with vectors of the previous model. Every search calls this
-- function, so it is written in PL/pgSQL, which caches the plan.
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
'Returns the embedding model that computed the vector of the goal. If the session''s setting qm.goal_model names a '
'model, returns this model. Otherwise returns the active model. Returns null if there is no such model.';
grant execute on function search.goal_model to qm_reader;
