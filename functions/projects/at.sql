-- projects.at: finds the project of the caller whose folder contains a path; of several, the innermost.
create or replace function projects.at(p_path text)
returns integer
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p.id
    from projects.project as p
    where p.id = any(projects.mine()) and rtrim(p_path, '/') || '/' ^@ (rtrim(p.root, '/') || '/')
    order by length(p.root) desc, p.owner_id = policy.principal_id() desc, p.id
    limit 1;
$function$;
comment on function projects.at(text) is
'Finds the project of the caller whose folder contains a path; of several, the innermost. Argument p_path: an absolute '
'path. Returns the id of the project, or null.';
grant execute on function projects.at to qm_reader;
