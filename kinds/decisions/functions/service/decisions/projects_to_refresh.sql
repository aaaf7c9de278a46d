-- service.projects_to_refresh: the service reads these projects to notice new commits.
-- Definer: the service is not a member of any project, so the row policy hides all rows of decisions.decision. Only the
-- service may call the function, because policy.require_service refuses all others.
create or replace function service.projects_to_refresh()
returns table (project text, root text, owner text, commits text[])
language sql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_service();
    select o.name || '/' || p.name, p.root, o.name, array_agg(distinct coalesce(d.last_verified, d.valid_from, ''))
    from projects.project as p
    inner join policy.principal as o on o.id = p.owner_id
    inner join decisions.decision as d on d.project_id = p.id and d.status <> 'rejected'
    where projects.may_read_files(p.id)
    group by p.id, o.name
    order by 1;
$function$;
comment on function service.projects_to_refresh() is
'Lists the projects that have decisions and whose files the service may read. Returns for each project: its name, as '
'OWNER/NAME; its root; its owner; and the commits with which the project''s decisions were last compared. Only the '
'service may call this function. Raises QM403 principal_unknown, service_required.';
grant execute on function service.projects_to_refresh to qm_operator;
