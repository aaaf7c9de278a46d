-- projects.invite: until the principal accepts, nothing changes for this principal. Two limits protect the principal: a
-- declined invitation is not repeated, and an inviter can have at most ten open or declined invitations for the same
-- principal. The inviter's row is locked, so that two invitations at the same time cannot exceed this limit.
-- Writes: projects.invitation.
create or replace function projects.invite(p_project_id integer, p_principal_id bigint, p_role text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_inviter_id constant bigint := policy.require_principal();
    v_invited constant text := (select u.name from policy.principal as u where u.id = p_principal_id);
    v_project projects.project;
begin
    select * into v_project from projects.project as p where p.id = p_project_id;
    if exists (
        select from projects.invitation as i
        where i.principal_id = p_principal_id
            and (i.owner_id, i.name) = (v_project.owner_id, v_project.name)
            and i.declined_at is not null
    ) then
        perform core.fail(
            'invitation_declined', format('%s has declined the invitation to the project %s', v_invited, v_project.name)
        );
    end if;
    perform from policy.principal as u where u.id = v_inviter_id for no key update;
    if (
        select count(*)
        from projects.invitation as i
        where i.principal_id = p_principal_id
            and i.invited_by = v_inviter_id
            and (i.owner_id, i.name) <> (v_project.owner_id, v_project.name)
    ) >= 10 then
        perform core.fail(
            'invitations_unanswered', format('%s has not accepted any of your last 10 invitations', v_invited)
        );
    end if;
    insert into projects.invitation as i (principal_id, owner_id, name, role, invited_by, invited_at)
    values (p_principal_id, v_project.owner_id, v_project.name, p_role, v_inviter_id, core.now())
    on conflict on constraint invitation_pkey do update set role = excluded.role, invited_by = excluded.invited_by
    where (i.role, i.invited_by) <> (excluded.role, excluded.invited_by);
end
$function$;
comment on function projects.invite(integer, bigint, text) is
'Invites a principal to a project. Arguments: p_project_id: id of the project; p_principal_id: id of the principal; '
'p_role: the role that the principal gets if it accepts: member or owner. If the principal already has an open '
'invitation to the project, its role is changed. Raises QM409 invitation_declined, invitations_unanswered.';
