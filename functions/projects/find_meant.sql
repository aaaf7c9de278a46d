-- projects.find_meant: the calls that use this function also make sense without a project. So the caller need not
-- choose one of several projects, as projects.find demands.
create or replace function projects.find_meant(p_name text default null, p_path text default null)
returns integer
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when
            nullif(p_name, '') is not null
            or nullif(current_setting('qm.project', true), '') is not null
            or cardinality(projects.mine()) = 1
            or coalesce(projects.at(p_path), projects.at(current_setting('qm.folder', true))) is not null
            then projects.find(p_name, p_path => p_path)
    end;
$function$;
comment on function projects.find_meant(text, text) is
'Finds the project to which a call applies, if there is exactly one. Arguments: p_name, p_path: see projects.find. '
'Returns the id of the project. Returns null if no argument or setting names a project, no project contains the path '
'or the folder, and the caller does not have exactly one project. Raises QM403 principal_unknown, QM404 '
'project_not_found, QM409 project_ambiguous.';
grant execute on function projects.find_meant to qm_reader;
