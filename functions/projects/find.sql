-- projects.find: finds the project that a call is about: the named one, otherwise the one in the setting qm.project of
-- the session, otherwise the only one. A project that the caller may not see is not found, and not counted.
-- Raises: QM403 principal_unknown, QM404 project_not_found, QM409 project_ambiguous.
create or replace function projects.find(p_name text default null, p_also_managed boolean default false)
returns integer
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_is_admin constant boolean := policy.require_principal() is not null and p_also_managed and policy.has_role('admin');
    v_name constant text := coalesce(nullif(p_name, ''), nullif(current_setting('qm.project', true), ''));
    v_ids integer[];
    v_names text[];
begin
    select array_agg(p.id), array_agg(o.name || '/' || p.name order by o.name, p.name) into v_ids, v_names
    from projects.project as p
    cross join lateral (select projects.principal_name(p.owner_id) as name) as o
    where (v_is_admin or p.id = any(projects.mine()))
        and (v_name is null or v_name in (p.name, o.name || '/' || p.name));
    if cardinality(v_ids) = 1 then
        return v_ids[1];
    end if;
    if v_ids is not null then
        perform core.fail(
            'project_ambiguous', format('%s projects fit: %s', cardinality(v_ids), array_to_string(v_names[:20], ', '))
        );
    end if;
    if v_name is null then
        perform core.fail('project_not_found', 'you are a member of no project', null, 'Add one with: qm project add PATH.');
    end if;
    perform core.fail('project_not_found', format('you are a member of no project called %L', left(v_name, 200)));
    return null;
end
$function$;
comment on function projects.find(text, boolean) is
'Finds the project that a call is about. Arguments: p_name: NAME or OWNER/NAME; null for the one in the setting '
'qm.project, or else the only one. p_also_managed: whether administrators also find projects of which they are no '
'members. Returns the id of the project.';
grant execute on function projects.find to qm_reader;
