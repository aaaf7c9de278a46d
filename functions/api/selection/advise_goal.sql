-- api.advise_goal: the service calls this function while the search runs, so no answer is delayed.
create or replace function api.advise_goal(goal text)
returns text
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return 'This goal seems to be in '
        || search.goal_language(advise_goal.goal)
        || '. Ask in English for better results.';
end
$function$;
comment on function api.advise_goal(text) is
'Suggests how the caller can word a goal better. Argument goal: what the caller wants to do. Returns a sentence of '
'advice if the goal is not in English (null: there is no advice). See search.goal_language. Can be null: result.';
alter function api.advise_goal owner to qm_reader;
grant execute on function api.advise_goal to qm_user;
