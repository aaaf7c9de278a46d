-- stats.renew_pace: breakers compare the duration of new calls with this usual duration. Only answered calls count.
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
        where h.ref = p.item_id and h.hour > v_since and h.outcome in ('ok', 'tool_error')
    );
    insert into calls.pace (item_id, calls, p95_ms)
    select h.ref, sum(h.calls), stats.quantile(array_agg(h.durations), 0.95)
    from stats.call_hour as h
    inner join search.kind as k on k.name = h.kind and k.outcomes = 'called'
    where h.hour > v_since and h.outcome in ('ok', 'tool_error')
    group by h.ref
    on conflict (item_id) do update
        set calls = excluded.calls, p95_ms = excluded.p95_ms;
    get diagnostics v_count = row_count;
    return v_count;
end
$function$;
comment on function stats.renew_pace() is
'Updates the usual duration of each tool from recent calls. The setting utility.window says how long calls count as '
'recent. Returns the number of tools that have recent calls.';
