create or replace function api.find_quality_project(project text default null, session text default null)
returns table (project_name text, root text, base_commit text, environment text)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id integer;
begin
    if find_quality_project.project is null and find_quality_project.session is not null then
        v_project_id := (
            select s.project_id
            from quality.session as s
            where s.handle = find_quality_project.session and s.principal_id = policy.principal_id()
        );
    end if;
    v_project_id := coalesce(v_project_id, projects.find(find_quality_project.project));
    if not projects.may_read_files(v_project_id) then
        perform core.fail('project_not_trusted', 'no administrator has added this project, so its files are not read');
    end if;
    return query
    select projects.principal_name(p.owner_id) || '/' || p.name, p.root, s.base_commit, projects.package_folder(p.id)
    from projects.project as p
    left join lateral (
        select x.base_commit
        from quality.session as x
        where
            x.principal_id = policy.principal_id()
            and x.project_id = p.id
            and case
                when find_quality_project.session is null then x.used_at > core.now() - interval '1 day'
                else x.handle = find_quality_project.session
            end
        order by x.used_at desc, x.id desc
        limit 1
    ) as s on true
    where p.id = v_project_id;
end
$function$;
comment on function api.find_quality_project(text, text) is
'Finds the project to which a call applies. Arguments: project: the project, as NAME or OWNER/NAME (null: the project '
'of the session, or, without a session, the caller''s only project); session: handle of one of the caller''s sessions '
'(null: no session is given). Returns: the name of the project, as OWNER/NAME; the root of the project; the commit at '
'which the session (or the caller''s last session) began; and the package folder that was last read for the project. '
'Raises QM403 principal_unknown, project_not_trusted, QM404 project_not_found, QM409 project_ambiguous. Can be null: '
'base_commit, environment.';
alter function api.find_quality_project owner to qm_reader;
grant execute on function api.find_quality_project to qm_service, qm_user;
