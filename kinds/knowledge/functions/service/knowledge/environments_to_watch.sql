-- Definer: the service is not a member of any project, so the row policy hides all environments of projects. Only the
-- service may call the function, because policy.require_service refuses all others.
create or replace function service.environments_to_watch()
returns table (folder text, project text, root text, state text, indexed_by text)
language sql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_service();
    select e.folder, o.name || '/' || p.name, p.root, e.state, b.name
    from knowledge.environment as e
    inner join policy.principal as b on b.id = e.indexed_by
    left join projects.project as p on p.id = e.project_id
    left join policy.principal as o on o.id = p.owner_id
    where e.state is not null
    order by 2 nulls first, 1;
$function$;
comment on function service.environments_to_watch() is
'Lists the package folders that the service watches, because an administrator or the service has read them completely. '
'Returns for each folder: its path; the project that uses the folder, as OWNER/NAME, and the root of this project '
'(both null: everybody sees the packages); a hash that changes when the installed packages change (state); and the '
'principal who asked for the folder to be read. Only the service may call this function. Raises QM403 '
'principal_unknown, service_required. Can be null: project, root.';
grant execute on function service.environments_to_watch to qm_operator;
