-- projects.find: a project that the caller may not see is neither found nor counted. If a name matches one of an
-- administrator's own projects, projects of others are ignored, because anybody may add a project with the same name.
create or replace function projects.find(
    p_name text default null, p_also_managed boolean default false, p_path text default null
)
returns integer
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_sees_all boolean := policy.require_principal() is not null and p_also_managed and policy.has_role('admin');
    v_given constant text := coalesce(
        nullif(p_name, ''), case when p_path ^@ '/' and projects.at(p_path) is not null then p_path end
    );
    v_name constant text := coalesce(v_given, nullif(current_setting('qm.project', true), ''));
    v_at constant integer := projects.at(coalesce(v_name, current_setting('qm.folder', true)));
    v_searched integer[] := projects.mine();
    v_ids integer[];
    v_names text[];
begin
    if v_at is not null then
        return v_at;
    end if;
    if v_name ^@ '/' then
        perform core.fail(
            'project_not_found',
            format('you are not a member of any project that contains %s', left(v_name, 200)),
            null,
            coalesce(
                projects.tell_invitations(),
                'Add the project with: qm project add PATH. Or name one of your projects with --project.'
            )
        );
    end if;
    loop
        select array_agg(p.id), array_agg(o.name || '/' || p.name order by o.name collate core.c_utf8, p.name)
        into v_ids, v_names
        from projects.project as p
        cross join lateral (select projects.principal_name(p.owner_id) as name) as o
        where p.id = any(v_searched) and (v_name is null or v_name in (p.name, o.name || '/' || p.name));
        exit when v_ids is not null or not v_sees_all;
        v_sees_all := false;
        v_searched := array(select p.id from projects.project as p);
    end loop;
    if cardinality(v_ids) = 1 then
        return v_ids[1];
    end if;
    if v_ids is not null then
        perform core.fail(
            'project_ambiguous',
            format(
                'the call does not say which of these %s projects it is about: %s',
                cardinality(v_ids),
                array_to_string(v_names[:20], ', ')
            )
        );
    end if;
    if v_name is null then
        perform core.fail(
            'project_not_found',
            'you are not a member of any project',
            null,
            coalesce(projects.tell_invitations(), 'Add one with: qm project add PATH.')
        );
    end if;
    perform core.fail(
        'project_not_found',
        format('you are not a member of any project called %L', left(v_name, 200)),
        null,
        projects.tell_invitations()
    );
    return null;
end
$function$;
comment on function projects.find(text, boolean, text) is
'Finds the project to which a call applies. Arguments: p_name: NAME or OWNER/NAME of the project, or an absolute path '
'inside the project (null: no name); p_also_managed: true to let administrators find projects of which they are not '
'members; p_path: the path in the call (a relative path is ignored). If p_name is null, the first of these projects is '
'used: (1) the project that contains p_path; (2) the project in the setting qm.project; (3) the project that contains '
'the folder in the setting qm.folder; (4) the only project of the caller. Returns the id of the project. Raises QM403 '
'principal_unknown, QM404 project_not_found, QM409 project_ambiguous.';
grant execute on function projects.find to qm_reader;
