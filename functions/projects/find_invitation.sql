-- projects.find_invitation: invitations of other principals are not found.
create or replace function projects.find_invitation(p_name text)
returns projects.invitation
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_ids integer[];
    v_names text[];
    v_invitation projects.invitation;
begin
    select array_agg(p.id), array_agg(o.name || '/' || p.name order by o.name, p.name)
    into v_ids, v_names
    from projects.invitation as i
    inner join projects.project as p on p.owner_id = i.owner_id and p.name = i.name
    inner join policy.principal as o on o.id = i.owner_id
    where i.principal_id = v_principal_id and p_name in (p.name, o.name || '/' || p.name);
    if cardinality(v_ids) > 1 then
        perform core.fail(
            'project_ambiguous',
            format(
                'you are invited to %s projects of this name: %s',
                cardinality(v_ids),
                array_to_string(v_names[:20], ', ')
            )
        );
    end if;
    perform from projects.project as p where p.id = v_ids[1] for update;
    select i.*
    into v_invitation
    from projects.project as p
    inner join projects.invitation as i on i.owner_id = p.owner_id and i.name = p.name
    where p.id = v_ids[1] and i.principal_id = v_principal_id
    for update of i;
    if v_invitation.principal_id is null then
        perform core.fail(
            'invitation_not_found', format('you are not invited to any project called %L', left(p_name, 200))
        );
    end if;
    return v_invitation;
end
$function$;
comment on function projects.find_invitation(text) is
'Finds an open or declined invitation of the caller, and locks it. Argument p_name: the project, as NAME or '
'OWNER/NAME. Returns the row of the invitation. Raises QM403 principal_unknown, QM404 invitation_not_found, QM409 '
'project_ambiguous.';
