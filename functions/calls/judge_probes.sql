-- calls.judge_probes: how much of what a tool promises its newest probes have shown to be untrue.
-- One probe in so many that failed may be bad luck; it counts for as much as it is of the window (setting probe.window).
create or replace function calls.judge_probes(p_item_id bigint)
returns real
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(avg((not n.is_honest)::integer), 0)::real
    from (
        select p.is_honest
        from calls.probe as p
        where p.item_id = p_item_id and p.is_honest is not null
        order by p.probed_at desc, p.call_id desc
        limit (core.get_setting('probe.window'))::integer
    ) as n;
$function$;
comment on function calls.judge_probes(bigint) is 'Argument: tool. Returns the share of dishonest ones among its newest probes: 0 honest, 1 never.';
