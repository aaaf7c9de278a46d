-- service.end_sessions: a login can raise all limits of its own sessions, so the service regularly checks what these
-- sessions use. If a login holds too many locks or too much memory, its sessions with the smallest share are kept.
-- Logins of administrators are exempt. A login may also store settings for its own role (in pg_db_role_setting), and
-- PostgreSQL cannot revoke this right. So the size of these settings is limited. While that table is too large,
-- sessions that write to it are ended. (The table also contains old versions of rows, and rows of open transactions.)
-- Only the service's login may execute the function, because the database trusts the memory figures that the caller
-- passes.
-- Definer: only the owner has the server roles pg_signal_backend and pg_read_all_stats.
create or replace function service.end_sessions(memory jsonb default '{}', can_reset boolean default false)
returns table (login text, reason text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_longest constant interval := (core.get_setting('login.transaction') #>> '{}')::interval;
    v_longest_blocking constant interval := (core.get_setting('login.blocking') #>> '{}')::interval;
    v_most_sessions constant integer := core.get_setting('login.sessions')::integer;
    v_longest_idle constant interval := (core.get_setting('login.idle') #>> '{}')::interval;
    v_most_locks constant integer := core.get_setting('login.locks')::integer;
    v_most_memory constant double precision := core.get_setting('login.memory')::double precision;
    v_most_settings constant bigint := core.get_setting('login.settings')::bigint;
    v_is_full constant boolean := pg_notification_queue_usage()
        > core.get_setting('login.notifications')::double precision;
begin
    if not core.has_capability('session_limits') then
        return;
    end if;
    return query
    with session as (
        select
            a.pid, a.usesysid, a.usename::text as login, a.state, a.state_change, a.xact_start,
            row_number() over (partition by a.usesysid order by a.backend_start) as position
        from pg_stat_activity as a
        inner join pg_roles as r on r.oid = a.usesysid
        where
            a.datname = current_database()
            and a.backend_type = 'client backend'
            and a.usename <> 'qm_service'
            and not r.rolsuper
            and pg_has_role(a.usesysid, 'qm_user', 'member')
            and not pg_has_role(a.usesysid, 'qm_admin', 'member')
    ),

    -- PostgreSQL reads the lock table once, and only if there is a session.
    held_locks as materialized (
        select
            l.pid, count(*) as locks,
            bool_or(l.relation = 'pg_db_role_setting'::regclass and l.mode = 'RowExclusiveLock') as writes_settings
        from pg_locks as l
        where exists (select from session)
        group by l.pid
    ),

    -- As they are stored, so that nothing is unpacked.
    large_settings as materialized (
        select d.setrole
        from pg_db_role_setting as d
        inner join pg_roles as r on r.oid = d.setrole
        where
            r.rolname <> 'qm_service'
            and not r.rolsuper
            and pg_has_role(r.oid, 'qm_user', 'member')
            and not pg_has_role(r.oid, 'qm_admin', 'member')
        group by d.setrole
        having sum(pg_column_size(d.setconfig)) > v_most_settings
    ),

    -- The processes of a session are its own and its parallel workers.
    held as (
        select
            s.pid,
            sum(coalesce(l.locks, 0)) as locks,
            coalesce(bool_or(l.writes_settings), false) as writes_settings,
            sum(coalesce((end_sessions.memory ->> a.pid::text)::double precision, 0)) as memory
        from session as s
        inner join pg_stat_activity as a on a.pid = s.pid or a.leader_pid = s.pid
        left join held_locks as l on l.pid = a.pid
        group by s.pid
    ),

    judged as (
        select
            s.pid, s.login,
            case
                when s.xact_start < clock_timestamp() - v_longest then 'login.transaction'
                when g.setrole is not null then 'login.settings'
                when h.writes_settings and pg_total_relation_size('pg_db_role_setting') > 256 * v_most_settings
                    then 'login.settings'
                when s.pid in (select b.* from policy.blocking_sessions(v_longest_blocking) as b) then 'login.blocking'
                when s.position > v_most_sessions then 'login.sessions'
                when s.state = 'idle' and s.state_change < clock_timestamp() - v_longest_idle then 'login.idle'
                when sum(h.locks) over (partition by s.usesysid order by h.locks, s.pid) > v_most_locks
                    then 'login.locks'
                when sum(h.memory) over (partition by s.usesysid order by h.memory, s.pid) > v_most_memory
                    then 'login.memory'
                when v_is_full and s.xact_start < clock_timestamp() - interval '1 second' then 'login.notifications'
            end as reason
        from session as s
        inner join held as h on h.pid = s.pid
        left join large_settings as g on g.setrole = s.usesysid
    )

    select j.login, j.reason
    from judged as j
    where j.reason is not null and pg_terminate_backend(j.pid)
    union all
    select r.rolname::text, 'reset'
    from large_settings as g
    inner join pg_roles as r on r.oid = g.setrole
    where end_sessions.can_reset;
end
$function$;
comment on function service.end_sessions(jsonb, boolean) is
'Ends database sessions that exceed one of the settings login.transaction, login.settings, login.blocking, '
'login.sessions, login.idle, login.locks, login.memory and login.notifications. This applies only to logins that have '
'the database role qm_user or qm_operator, but not qm_admin. Arguments: memory: JSON object that maps the id of each '
'server process to the share of the machine''s memory that the process holds, from 0 to 1 (a missing process holds '
'none); can_reset: true if the caller can reset the settings of logins. Returns for each ended session its login, and '
'the name of the setting that the session exceeded. If can_reset is true, also returns each login that has stored too '
'many settings, with the word reset. The function does nothing if the database role qm_owner may not end sessions '
'(capability session_limits).';
grant execute on function service.end_sessions to qm_service;
