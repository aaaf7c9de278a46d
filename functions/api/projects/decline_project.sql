-- api.decline_project: the invitation is kept and marked as declined.
-- Writes: projects.invitation.
create or replace function api.decline_project(project text)
returns table (project_name text, owner text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_invitation constant projects.invitation := projects.find_invitation(decline_project.project);
begin
    update projects.invitation as i
    set declined_at = coalesce(i.declined_at, core.now())
    where (i.principal_id, i.owner_id, i.name) = (v_invitation.principal_id, v_invitation.owner_id, v_invitation.name);
    return query select v_invitation.name, projects.principal_name(v_invitation.owner_id);
end
$function$;
comment on function api.decline_project(text) is
'Declines an invitation to a project. Nobody can invite the caller to this project again, but the caller can still '
'accept the invitation. Argument project: the project, as NAME or OWNER/NAME. Returns the name and the owner of the '
'project. Raises QM403 principal_unknown, QM404 invitation_not_found, QM409 project_ambiguous.';
grant execute on function api.decline_project to qm_user;
