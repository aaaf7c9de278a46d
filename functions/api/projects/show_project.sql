create or replace function api.show_project(project text default null)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(show_project.project, true);
begin
    return (
        select jsonb_build_object(
            'project', p.name,
            'id', p.id,
            'owner', projects.principal_name(p.owner_id),
            'root', p.root,
            'created_at', p.created_at,
            'members', (
                select jsonb_agg(
                    jsonb_build_object('name', n.name, 'role', m.role) order by m.role desc, n.name collate core.c_utf8
                )
                from projects.member as m
                cross join lateral (select projects.principal_name(m.principal_id) as name) as n
                where m.project_id = p.id
            ),
            'invited', (
                select coalesce(
                    jsonb_agg(
                        jsonb_build_object(
                            'name', n.name, 'role', i.role, 'declined', i.declined_at is not null
                        ) order by n.name collate core.c_utf8
                    ),
                    '[]'
                )
                from projects.invitation as i
                cross join lateral (select projects.principal_name(i.principal_id) as name) as n
                where i.owner_id = p.owner_id and i.name = p.name
            )
        )
        from projects.project as p
        where p.id = v_project_id
    );
end
$function$;
comment on function api.show_project(text) is
'Shows a project and its members. Argument project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns JSON: project: name of the project; id: id of the project; owner: name of the principal that owns the '
'project; root: folder of the project; created_at: time at which the project was added; members: array of {name, role: '
'owner or member}; invited: array of {name, role, declined} of those who have not accepted their invitation.';
alter function api.show_project owner to qm_reader;
grant execute on function api.show_project to qm_user;
