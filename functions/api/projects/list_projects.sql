create or replace function api.list_projects()
returns table (project text, owner text, root text, role text, members bigint, created_at timestamptz)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select p.name, projects.principal_name(p.owner_id) collate core.c_utf8, p.root, m.role, c.members, p.created_at
    from projects.project as p
    left join projects.member as m on m.project_id = p.id and m.principal_id = policy.principal_id()
    cross join lateral (select count(*) as members from projects.member as n where n.project_id = p.id) as c
    order by 1, 2;
$function$;
comment on function api.list_projects() is
'Lists the projects that the caller may see. Returns for each project: the name, the owner and the folder; the '
'caller''s role in the project (owner, member, or null for an administrator who is not a member); the number of its '
'members; and the time at which the project was added. Can be null: role.';
alter function api.list_projects owner to qm_reader;
grant execute on function api.list_projects to qm_user;
