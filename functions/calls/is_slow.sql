-- calls.is_slow: whether a call took far longer than its tool usually does.
-- A tool that has hardly been called is never slow: nobody knows what is usual for it, and its time limit holds anyway.
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
        ), false
    );
$function$;
comment on function calls.is_slow(bigint, real) is 'Arguments: tool, null for what is none; milliseconds. Compared with calls.pace by the settings breaker.slow_times and breaker.slow_from.';
