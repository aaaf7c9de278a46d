-- policy.blocking_sessions: a login whose sessions all wait in a queue is not at fault, so none of its sessions is
-- returned. If a session of the login blocks others and does not wait itself, all blocking sessions of this login are
-- returned. If no session waits, the lock table is not read.
create or replace function policy.blocking_sessions(p_longest interval)
returns setof integer
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    with recursive waiting as materialized (
        select l.pid, min(l.waitstart) as since
        from pg_locks as l
        where not l.granted and exists (select from pg_stat_activity as a where a.wait_event_type = 'Lock')
        group by l.pid
    ),

    edge as materialized (
        select w.pid as waiter, w.since, b.pid
        from waiting as w
        cross join lateral unnest(pg_blocking_pids(w.pid)) as b (pid)
    ),

    -- Whom sessions of a login wait for, directly or because these wait for others.
    chain (usesysid, pid) as (
        select a.usesysid, e.pid
        from edge as e
        inner join pg_stat_activity as a on a.pid = e.waiter
        where e.since < clock_timestamp() - p_longest
        union
        select c.usesysid, e.pid
        from chain as c
        inner join edge as e on e.waiter = c.pid
    ),

    blocking as (
        select a.pid, a.usesysid, not exists (select from waiting as w where w.pid = a.pid) as is_free
        from chain as c
        inner join pg_stat_activity as a on a.pid = c.pid
        where a.usesysid <> c.usesysid
    )

    select distinct b.pid
    from blocking as b
    where exists (select from blocking as x where x.usesysid = b.usesysid and x.is_free);
$function$;
comment on function policy.blocking_sessions(interval) is
'Finds the sessions that make sessions of other logins wait for a lock, directly or through other waiting sessions. '
'Argument p_longest: only waits that have lasted longer than this interval count. Returns the process ids of the '
'sessions.';
