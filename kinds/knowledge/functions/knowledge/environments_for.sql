-- knowledge.environments_for: in a project with an environment of its own, a lookup searches only this environment,
-- because other environments may contain other versions of a package. Row policies hide the environments of other
-- users' projects.
create or replace function knowledge.environments_for(p_folder text, p_project_id integer)
returns bigint[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(array_agg(e.id), '{}')
    from knowledge.environment as e
    cross join (
        select exists (
            select from knowledge.environment as x
            inner join knowledge.environment_distribution as h on h.environment_id = x.id
            where x.project_id = p_project_id
        ) as is_there
    ) as own
    where case
        when p_folder is not null then e.folder = p_folder
        when p_project_id is not null
            then e.project_id is not distinct from case when own.is_there then p_project_id end
        else true
    end;
$function$;
comment on function knowledge.environments_for(text, integer) is
'Returns the ids of the environments in which a lookup searches. Arguments: p_folder: package folder (null: any '
'folder); p_project_id: id of the project (null: no project). If p_folder is given, returns the environments of this '
'folder. Otherwise, if p_project_id is given, returns the environments of the project. If the environments of the '
'project contain no packages, returns the environments for everybody. If both arguments are null, returns all '
'environments that the caller may see.';
grant execute on function knowledge.environments_for to qm_reader;
