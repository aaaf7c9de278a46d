create or replace function api.list_golden_tasks(minimum integer default 1)
returns table (goal text, mode text, gold_tools text[], hard_negatives text[], notes text)
language sql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
    select
        min(j.goal),
        min(j.mode),
        array_agg(n.name order by j.successes desc, n.name) filter (where j.successes >= list_golden_tasks.minimum),
        coalesce(array_agg(n.name order by j.passed_over desc, n.name) filter (where j.successes = 0), '{}'),
        format(
            'called successfully %s times, first on %s, last on %s',
            sum(j.successes),
            min(j.first_at)::date,
            max(j.last_at)::date
        )
    from selection.judgement as j
    inner join catalog.item as i on i.id = j.ref and i.is_live
    inner join catalog.origin as o on o.id = i.origin_id
    cross join lateral (select o.name || '/' || i.name as name) as n
    where j.kind = 'tool'
    group by j.goal_hash
    having max(j.successes) >= list_golden_tasks.minimum
    order by max(j.last_at) desc, 1;
$function$;
comment on function api.list_golden_tasks(integer) is
'Lists goals for which the right tools are known from calls, for evaluations and training. Argument minimum: a tool '
'counts as right if it was called successfully at least this many times after searches for the goal. Returns for each '
'goal, newest first: the goal, the mode, the right tools as origin/name, the tools that were ranked above the right '
'tools but not called, and a sentence that says how often and when these tools were called.';
alter function api.list_golden_tasks owner to qm_reader;
grant execute on function api.list_golden_tasks to qm_operator;
