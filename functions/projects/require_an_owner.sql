create or replace function projects.require_an_owner(p_project_id integer)
returns void
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not exists (select from projects.member as m where m.project_id = p_project_id and m.role = 'owner') then
        perform core.fail(
            'project_owner_missing',
            (
                select format('the project %s would be left without an owner', p.name)
                from projects.project as p
                where p.id = p_project_id
            )
        );
    end if;
end
$function$;
comment on function projects.require_an_owner(integer) is
'Raises QM409 project_owner_missing if a project has no member with the role owner. Argument p_project_id: id of the '
'project.';
