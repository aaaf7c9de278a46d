-- Writes: quality.session.
create or replace function quality.find_session(p_handle text, p_project_id integer)
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_id bigint;
begin
    select s.id
    into v_id
    from quality.session as s
    where
        s.principal_id = v_principal_id
        and s.project_id = p_project_id
        and case when p_handle is null then s.used_at > core.now() - interval '1 day' else s.handle = p_handle end
    order by s.used_at desc, s.id desc
    limit 1;
    if v_id is null and p_handle is not null then
        perform core.fail('session_not_found', 'you have no session with this name in this project');
    end if;
    if v_id is null then
        insert into quality.session (project_id, principal_id, started_at, used_at)
        values (p_project_id, v_principal_id, core.now(), core.now())
        returning id into v_id;
    else
        update quality.session as s set used_at = core.now() where s.id = v_id;
    end if;
    return v_id;
end
$function$;
comment on function quality.find_session(text, integer) is
'Finds or begins a session of the caller in a project. Arguments: p_handle: handle of the session (null: the caller''s '
'last session in the project, if the caller has used it in the last 24 hours; otherwise a new session); p_project_id: '
'id of the project. Returns the id of the session. Raises QM404 session_not_found.';
