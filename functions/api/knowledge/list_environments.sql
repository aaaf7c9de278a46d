-- api.list_environments: lists the folders of packages that were read: those that are for everybody, and those of the
-- caller's projects; operators see all, because they keep them up to date.
-- The function runs with the rights of its owner (security definer), because operators are members of no project.
-- Raises: QM403 principal_unknown.
create or replace function api.list_environments()
returns table (folder text, project text, root text, state text, indexed_by text, indexed_at timestamptz)
language plpgsql
stable parallel unsafe security definer
rows 20
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return query
    select e.folder, o.name || '/' || p.name, p.root, e.state, b.name, e.indexed_at
    from knowledge.environment as e
    left join projects.project as p on p.id = e.project_id
    left join policy.principal as o on o.id = p.owner_id
    left join policy.principal as b on b.id = e.indexed_by
    where e.project_id is null or e.project_id = any(projects.mine()) or policy.has_role('operator')
    order by 2 nulls first, 1;
end
$function$;
comment on function api.list_environments() is
'Lists the folders of packages that were read. Returns for each: folder; project, as OWNER/NAME, and its root; null if it '
'is for everybody; state: what was installed when all of it was read; and who had it read when.';
grant execute on function api.list_environments to qm_user;
