-- calls.judge_probes: a single failure may be bad luck, so the result is a share of several probes. The setting
-- probe.window says how many.
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
comment on function calls.judge_probes(bigint) is
'Computes how often a tool did not do what its definition declares. Argument p_item_id: id of the tool. Returns the '
'share of the tool''s newest probes (test calls) in which the tool did not behave as its definition declares, from 0 '
'(none) to 1 (all).';
