-- knowledge.package_folder: every member of a project can ask the service to read packages, but must not choose any
-- folder on the service's machine. Therefore, a folder counts only if the owner of the project asked for it, or if it
-- is below the root of the project.
create or replace function knowledge.package_folder(p_project_id integer)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select e.folder
    from knowledge.environment as e
    inner join projects.project as p on p.id = e.project_id
    where p.id = p_project_id
        and (
            e.indexed_by = p.owner_id
            or (e.folder || '/' ^@ (rtrim(p.root, '/') || '/') and e.folder !~ '(^|/)\.\.(/|$)')
        )
    order by e.indexed_at desc, e.id desc
    limit 1;
$function$;
comment on function knowledge.package_folder(integer) is
'Finds the folder with the packages of a project (hook point package_folder). Argument p_project_id: id of the '
'project. Returns the folder that was last read (null: no folder was read).';
grant execute on function knowledge.package_folder to qm_reader;
