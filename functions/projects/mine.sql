-- projects.mine: the row policies of everything that a project contains use this function. Operators and administrators
-- are not members of every project.
-- Definer: the row policy of projects.member calls this function. With the caller's rights, reading projects.member
-- would apply this policy again, and so on without end. Callers get only the ids of their own projects.
create or replace function projects.mine()
returns integer[]
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return array(select m.project_id from projects.member as m where m.principal_id = policy.principal_id() order by 1);
end
$function$;
comment on function projects.mine() is
'Returns the ids of the projects of which the caller''s principal is a member. Returns an empty array if the session '
'has no principal.';
grant execute on function projects.mine to qm_reader, qm_admin;
