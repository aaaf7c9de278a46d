-- projects.package_folder: the first kind that knows the folder returns it (hook point package_folder).
create or replace function projects.package_folder(p_project_id integer)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_hook regproc;
    v_folder text;
begin
    for v_hook in select h from core.hooks('package_folder') as h loop
        execute format('select %s($1)', v_hook) into v_folder using p_project_id;
        exit when v_folder is not null;
    end loop;
    return v_folder;
end
$function$;
comment on function projects.package_folder(integer) is
'Finds the folder with the packages that a project imports. Argument p_project_id: id of the project. Returns the path '
'of the folder, or null if no kind knows one.';
grant execute on function projects.package_folder to qm_reader;
