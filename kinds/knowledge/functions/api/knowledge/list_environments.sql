-- api.list_environments: a folder without stored packages is left out: it has no packages, or somebody interrupted the
-- program that read it.
create or replace function api.list_environments()
returns table (folder text, project text, indexed_at timestamptz)
language sql
stable parallel safe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select e.folder, projects.principal_name(p.owner_id) || '/' || p.name, e.indexed_at
    from knowledge.environment as e
    left join projects.project as p on p.id = e.project_id
    where exists (select from knowledge.environment_distribution as h where h.environment_id = e.id)
    order by 2 nulls first, 1;
$function$;
comment on function api.list_environments() is
'Lists the package folders with stored packages: those for everybody, and those of the caller''s projects. Returns for '
'each folder: its path; the project that uses the folder, as OWNER/NAME (null: no particular project, so everybody may '
'see the packages); and the time at which the folder was last read. Raises QM403 principal_unknown. Can be null: '
'project.';
alter function api.list_environments owner to qm_reader;
grant execute on function api.list_environments to qm_user;
