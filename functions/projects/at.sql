-- projects.at: projects of other owners come last, because an owner can choose any folder as the root. A principal who
-- accepts an invitation to a project does not see its root.
create or replace function projects.at(p_path text)
returns integer
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select p.id
    from projects.project as p
    inner join policy.principal as o on o.id = p.owner_id
    where p.id = any(projects.mine()) and rtrim(p_path, '/') || '/' ^@ (rtrim(p.root, '/') || '/')
    order by
        (o.role = 'admin' or p.owner_id = policy.principal_id()) desc,
        length(p.root) desc,
        p.owner_id = policy.principal_id() desc,
        p.id
    limit 1;
$function$;
comment on function projects.at(text) is
'Finds the caller''s project whose folder contains a path. If several folders contain the path, a project that the '
'caller or an administrator owns is preferred. Of the remaining projects, the project with the innermost folder is '
'chosen. Argument p_path: an absolute path. Returns the id of the project. Returns null if no folder contains the '
'path.';
grant execute on function projects.at to qm_reader;
