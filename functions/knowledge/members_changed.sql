-- knowledge.members_changed: trigger that shares distributions again when the members of a project change.
create or replace function knowledge.members_changed()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform knowledge.share();
    return null;
end
$function$;
comment on function knowledge.members_changed() is
'Trigger that updates the audiences of distributions when the members of a project change. It runs once for each '
'statement.';
