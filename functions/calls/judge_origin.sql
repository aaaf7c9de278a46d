-- calls.judge_origin: opens the breaker of an origin whose recent calls show a burst of errors or a jump of the 95th
-- percentile of their durations.
-- It reads the last 200 calls that ended within the time in the setting breaker.window, and after the breaker last
-- closed.
-- It opens the breaker for errors if at least breaker.failures calls, and at least the share breaker.share of all
-- calls, failed. It opens the breaker for slowness if at least breaker.failures calls, and more than one in twenty,
-- were slow, which means that the 95th percentile is higher than usual. Each call is compared with the usual duration
-- of its own tool (calls.is_slow).
-- Writes: calls.breaker.
create or replace function calls.judge_origin(p_origin_id bigint)
returns boolean
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_least constant integer := (core.get_setting('breaker.failures'))::integer;
    v_share constant double precision := (core.get_setting('breaker.share'))::double precision;
    v_since constant timestamptz := v_now - (core.get_setting('breaker.window') #>> '{}')::interval;
    v_closed_at timestamptz;
    v_calls bigint;
    v_failures bigint;
    v_slow bigint;
    v_worst text;
begin
    if v_least = 0 then
        return false;
    end if;
    select b.closed_at into v_closed_at from calls.breaker as b where b.origin_id = p_origin_id;
    select
        count(*),
        count(*) filter (where calls.is_failure(r.outcome)),
        count(*) filter (where calls.is_slow(r.ref, r.duration_ms)),
        mode() within group (order by r.outcome) filter (where calls.is_failure(r.outcome))
    into v_calls, v_failures, v_slow, v_worst
    from (
        select c.outcome, c.ref, c.duration_ms
        from calls.call as c
        where c.origin_id = p_origin_id
            -- Calls are selected by the time at which they ended, because a call that has just ended may have begun
            -- long ago.
            and c.started_at > greatest(v_since - interval '10 minutes', v_closed_at)
            and c.ended_at > v_since
            -- Probes do not count, because the service runs them in a sandbox and not on the server that clients use.
            and c.request_id not like 'probe-%'
            and c.outcome in ('ok', 'tool_error', 'cancelled', 'timeout', 'network', 'died', 'protocol')
        order by c.started_at desc
        limit 200
    ) as r;
    if v_failures >= v_least and v_failures >= v_share * v_calls then
        return calls.open_breaker(p_origin_id, format('%s of the last %s calls failed, most of them with %s', v_failures, v_calls, v_worst));
    end if;
    if v_slow >= v_least and 20 * v_slow > v_calls then
        return calls.open_breaker(
            p_origin_id,
            format(
                '%s of the last %s calls took more than %s times as long as usual', v_slow, v_calls, core.get_setting('breaker.slow_times')
            )
        );
    end if;
    return false;
end
$function$;
comment on function calls.judge_origin(bigint) is
'Opens the breaker of an origin whose recent calls show a burst of errors or a jump of the 95th percentile of their '
'durations. Argument p_origin_id: id of the origin. Returns whether the breaker of the origin was opened.';
