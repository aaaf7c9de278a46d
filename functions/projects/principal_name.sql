create or replace function projects.principal_name(p_principal_id bigint)
returns text
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_name constant text := (
        select p.name
        from policy.principal as p
        where p.id = p_principal_id
            and (
                policy.has_role('admin')
                or exists (
                    select from projects.member as m where m.principal_id = p.id and m.project_id = any(projects.mine())
                )
                or exists (select from projects.project as j where j.owner_id = p.id and j.id = any(projects.mine()))
            )
    );
begin
    if v_name is not null then
        return v_name;
    end if;
    return (
        select p.name
        from policy.principal as p
        where p.id = p_principal_id
            and (
                exists (
                    select from projects.invitation as i
                    where i.principal_id = policy.principal_id() and p.id in (i.owner_id, i.invited_by)
                )
                or exists (
                    select from projects.invitation as i
                    inner join projects.project as j on j.owner_id = i.owner_id and j.name = i.name
                    where i.principal_id = p.id and j.id = any(projects.mine())
                )
            )
    );
end
$function$;
comment on function projects.principal_name(bigint) is
'Looks up the name of a principal, if the caller may know this name. Argument p_principal_id: id of the principal. '
'Returns the name if the principal shares a project or an invitation with the caller, or if the caller is an '
'administrator. Otherwise returns null.';
grant execute on function projects.principal_name to qm_reader;
