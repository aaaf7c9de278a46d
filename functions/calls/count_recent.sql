-- calls.count_recent: the recent calls are the last 200 that ended within the time in the setting breaker.window. A
-- call does not count if the breaker for everybody, or the breaker of the call's principal, has closed since the call
-- ended.
create or replace function calls.count_recent(p_origin_id bigint, p_principal_id bigint)
returns table (principal_id bigint, calls bigint, failures bigint, slow bigint, unreached bigint, worst text)
language sql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    select
        r.principal_id,
        count(*),
        count(*) filter (where calls.is_failure(r.outcome)),
        count(*) filter (where calls.is_slow(r.ref, r.duration_ms)),
        count(*) filter (where calls.is_failure(r.outcome) and r.attempts = 0),
        mode() within group (order by r.outcome) filter (where calls.is_failure(r.outcome))
    from (
        select c.principal_id, c.outcome, c.ref, c.duration_ms, c.attempts
        from calls.call as c
        left join calls.breaker as e on e.origin_id = c.origin_id and e.principal_id is null
        left join calls.breaker as o on o.origin_id = c.origin_id and o.principal_id = c.principal_id
        where c.origin_id = p_origin_id
            and (p_principal_id is null or c.principal_id = p_principal_id)
            -- Calls are selected by the time at which they ended, because a call that has just ended may have begun
            -- long ago.
            and c.started_at
                > core.now() - (core.get_setting('breaker.window') #>> '{}')::interval - interval '10 minutes'
            and c.ended_at > core.now() - (core.get_setting('breaker.window') #>> '{}')::interval
            and c.started_at > coalesce(greatest(e.closed_at, o.closed_at), '-infinity')
            -- Probes do not count, because the service runs them in a sandbox and not on the server that clients use.
            and c.request_id not like 'probe-%'
            and c.outcome in ('ok', 'tool_error', 'cancelled', 'timeout', 'network', 'died', 'protocol')
        order by c.started_at desc
        limit 200
    ) as r
    group by r.principal_id;
$function$;
comment on function calls.count_recent(bigint, bigint) is
'Counts the recent calls to an origin. These numbers decide whether a circuit breaker of the origin opens. Arguments: '
'p_origin_id: id of the origin; p_principal_id: the principal whose calls are counted (null: all principals). Returns '
'for each principal: the number of calls; the number of failed calls; the number of slow calls; the number of failed '
'calls that did not reach the origin; and the most frequent failure.';
