create or replace function api.list_invitations()
returns table (project text, owner text, role text, invited_by text, invited_at timestamptz)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        i.name,
        projects.principal_name(i.owner_id) collate core.c_utf8,
        i.role,
        projects.principal_name(i.invited_by),
        i.invited_at
    from projects.invitation as i
    where i.principal_id = policy.principal_id() and i.declined_at is null
    order by i.invited_at, 1, 2;
$function$;
comment on function api.list_invitations() is
'Lists the invitations that the caller has not answered. Nothing changes for the caller until it accepts one '
'(accept_project). Returns for each invitation: the name and the owner of the project; the role that the caller would '
'have; who invited the caller; and when. Can be null: invited_by.';
alter function api.list_invitations owner to qm_reader;
grant execute on function api.list_invitations to qm_user;
