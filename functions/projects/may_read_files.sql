-- projects.may_read_files: only an administrator decides what the service reads on its machine, so an administrator
-- must have added the project.
create or replace function projects.may_read_files(p_project_id integer)
returns boolean
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    return exists (
        select from projects.project as p
        inner join policy.principal as o on o.id = p.owner_id
        where p.id = p_project_id and o.role = 'admin'
    );
end
$function$;
comment on function projects.may_read_files(integer) is
'Checks whether the service may read the files of a project. Argument p_project_id: id of the project. Returns true '
'only if an administrator added the project.';
grant execute on function projects.may_read_files to qm_reader;
