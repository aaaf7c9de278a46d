-- api.end_sessions: ends psql sessions that take more than their share of the server.
-- A login can raise every time limit of its own session, so the service ends transactions that are older than the
-- setting login.transaction, and the newest sessions of a login beyond the setting login.sessions. Logins of
-- administrators are exempt.
-- The function runs with the rights of its owner (security definer), because only the owner has the server roles
-- pg_signal_backend and pg_read_all_stats. Operators may execute it.
create or replace function api.end_sessions()
returns table (login text, reason text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    if not core.has_capability('session_limits') then
        return;
    end if;
    return query
    with session as (
        select
            a.pid,
            a.usename::text as login,
            a.xact_start < clock_timestamp() - (core.get_setting('login.transaction') #>> '{}')::interval as is_long,
            row_number() over (partition by a.usesysid order by a.backend_start)
            > (core.get_setting('login.sessions') #>> '{}')::integer as is_surplus
        from pg_stat_activity as a
        inner join pg_roles as r on r.oid = a.usesysid
        where
            a.datname = current_database() and a.backend_type = 'client backend'
            and a.usename <> 'qm_service' and not r.rolsuper
            and pg_has_role(a.usesysid, 'qm_user', 'member') and not pg_has_role(a.usesysid, 'qm_admin', 'member')
    )

    select s.login, case when s.is_long then 'login.transaction' else 'login.sessions' end
    from session as s
    where (s.is_long or s.is_surplus) and pg_terminate_backend(s.pid);
end
$function$;
comment on function api.end_sessions() is
'Ends database sessions that exceed the settings login.transaction or login.sessions. This applies only to logins that '
'have the database role qm_user or qm_operator, but not qm_admin. Returns for each ended session its login, and the '
'name of the setting that the session exceeded. The function does nothing if the database role qm_owner may not end '
'sessions (capability session_limits).';
grant execute on function api.end_sessions to qm_operator;
