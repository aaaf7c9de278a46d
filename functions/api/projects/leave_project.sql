-- api.leave_project: the function ends only the membership of the caller.
-- Writes: projects.member, policy.audience_member.
create or replace function api.leave_project(project text)
returns table (project_name text, owner text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(leave_project.project);
begin
    select p.name, projects.principal_name(p.owner_id)
    into project_name, owner
    from projects.project as p
    where p.id = v_project_id;
    perform projects.end_membership(v_project_id, policy.principal_id());
    return next;
end
$function$;
comment on function api.leave_project(text) is
'Leaves a project: the caller then sees nothing of it until one of its owners invites it again. The principal that '
'added the project cannot leave it, and neither can its last owner. Argument project: the project, as NAME or '
'OWNER/NAME. Returns the name and the owner of the project. Raises QM403 principal_unknown, QM404 project_not_found, '
'QM409 project_ambiguous, project_owner_missing.';
grant execute on function api.leave_project to qm_user;
