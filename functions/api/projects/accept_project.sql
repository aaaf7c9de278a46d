-- Writes: projects.invitation, projects.member, policy.audience_member.
create or replace function api.accept_project(project text)
returns table (project_name text, owner text, role text)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_invitation constant projects.invitation := projects.find_invitation(accept_project.project);
begin
    delete from projects.invitation as i
    where (i.principal_id, i.owner_id, i.name) = (v_invitation.principal_id, v_invitation.owner_id, v_invitation.name);
    insert into projects.member as m (project_id, principal_id, role)
    select p.id, v_invitation.principal_id, v_invitation.role
    from projects.project as p
    where p.owner_id = v_invitation.owner_id and p.name = v_invitation.name
    on conflict on constraint member_pkey do nothing;
    return query select v_invitation.name, projects.principal_name(v_invitation.owner_id), v_invitation.role;
end
$function$;
comment on function api.accept_project(text) is
'Accepts an invitation to a project: the caller becomes a member. This is also possible after the invitation was '
'declined. Argument project: the project, as NAME or OWNER/NAME. Returns the name and the owner of the project, and '
'the caller''s role in it. Raises QM403 principal_unknown, QM404 invitation_not_found, QM409 project_ambiguous.';
grant execute on function api.accept_project to qm_user;
