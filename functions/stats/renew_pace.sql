-- stats.renew_pace: updates the usual duration of each tool from the calls within the setting utility.window. Only
-- answered calls count. Breakers compare with it.
create or replace function stats.renew_pace()
returns bigint
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_since constant timestamptz := core.now() - (core.get_setting('utility.window') #>> '{}')::interval;
    v_count bigint;
begin
    delete from calls.pace as p
    where not exists (
        select from stats.call_hour as h
        inner join search.kind as k on k.name = h.kind and k.outcomes = 'called'
        where h.tool_id = p.tool_id and h.hour > v_since and h.outcome in ('ok', 'tool_error')
    );
    insert into calls.pace (tool_id, calls, p95_ms)
    select h.tool_id, sum(d.calls::bigint), stats.quantile(array_agg(d.bucket::integer), array_agg(d.calls::bigint), 0.95)
    from stats.call_hour as h
    inner join search.kind as k on k.name = h.kind and k.outcomes = 'called'
    cross join jsonb_each_text(h.durations) as d (bucket, calls)
    where h.hour > v_since and h.outcome in ('ok', 'tool_error')
    group by h.tool_id
    on conflict (tool_id) do update
        set calls = excluded.calls, p95_ms = excluded.p95_ms;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function stats.renew_pace() is 'Returns the number of tools that were called.';
