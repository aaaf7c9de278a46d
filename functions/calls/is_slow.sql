-- calls.is_slow: a call to a tool that has few calls never counts as slow, because the usual duration is unknown. The
-- time limit of the tool still applies.
create or replace function calls.is_slow(p_item_id bigint, p_duration_ms real)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select
                p_duration_ms > greatest(
                    (core.get_setting('breaker.slow_times'))::double precision * p.p95_ms,
                    1000 * extract(epoch from (core.get_setting('breaker.slow_from') #>> '{}')::interval)
                )
            from calls.pace as p
            where p.item_id = p_item_id and p.calls >= 20
        ),
        false
    );
$function$;
comment on function calls.is_slow(bigint, real) is
'Returns true if a call took far longer than is usual for its tool. Arguments: p_item_id: id of the tool (null: the '
'call is a read); p_duration_ms: duration in milliseconds. The usual duration is stored in calls.pace. A call is slow '
'if the duration of the call is greater than the setting breaker.slow_from, and greater than the usual duration '
'multiplied by the setting breaker.slow_times.';
