-- search.goal_model: returns the model of the goal's vector, with whose vectors it can be compared. That is the model
-- that the caller names in the setting qm.goal_model, otherwise the active model. While another model is being
-- activated, a process that has not loaded it yet still sends vectors of the model before; they meet their own kind.
create or replace function search.goal_model()
returns search.model
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select m
    from (select current_setting('qm.goal_model', true) as name) as g
    inner join search.model as m on case when coalesce(g.name, '') = '' then m.active else m.name = g.name end;
$function$;
comment on function search.goal_model() is
'Returns the model; null if no model is active, or the named model is not registered.';
grant execute on function search.goal_model to qm_user;
