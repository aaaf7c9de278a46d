-- knowledge.environments_changed: it also updates the audiences of distributions that other environments still contain
-- (knowledge.leave_environments).
create or replace function knowledge.environments_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform knowledge.leave_environments(array(select g.distribution_id from gone as g));
    return null;
end
$function$;
comment on function knowledge.environments_changed() is
'Trigger that removes a distribution, with its objects and cards, as soon as no environment contains the distribution. '
'It runs after each statement that deletes rows of knowledge.environment_distribution. It reads the deleted rows from '
'a transition table called "gone".';
