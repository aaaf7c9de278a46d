-- api.call_gaps: chaos tests call this function when they finish. They expect no rows, because every call must be
-- recorded exactly once. A pending call of a process that is still running is in progress, so it counts as correct for
-- a day.
create or replace function api.call_gaps(since timestamptz default null)
returns table (problem text, call_id bigint, started_at timestamptz, details text)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with looked_at as (
        select c.* from calls.call as c where c.started_at >= coalesce(call_gaps.since, '-infinity')
    )

    select
        'process_gone' collate core.c_utf8, c.id, c.started_at,
        'the call is pending, but its process is gone; the next heartbeat marks the call as lost'
    from looked_at as c
    where c.outcome = 'pending' and not exists (select from core.instance as i where i.id = c.instance_id)
    union all
    select 'never_ended', c.id, c.started_at, 'the call has been pending for more than a day'
    from looked_at as c
    where c.outcome = 'pending' and c.started_at < core.now() - interval '1 day'
    union all
    select 'twice', c.id, c.started_at, format('the key %s occurs %s times in the call log', c.key, c.rows)
    from (
        select x.id, x.started_at, x.key, count(*) over (partition by x.key) as rows from looked_at as x
        where x.key is not null
    ) as c
    where c.rows > 1
    union all
    select
        'without_duration',
        c.id,
        c.started_at,
        format('the call ended as %s, but its duration is missing', c.outcome)
    from looked_at as c
    where c.outcome not in ('pending', 'lost') and c.duration_ms is null
    union all
    select
        'without_size',
        c.id,
        c.started_at,
        format('the call ended as %s, but the size of its result is missing', c.outcome)
    from looked_at as c
    where c.outcome = 'ok' and c.result_bytes is null and c.method <> 'resources/subscribe'
    union all
    select
        'repeated',
        c.id,
        c.started_at,
        format('the call was sent %s times, although the terms of its tool forbid repeats', c.attempts)
    from looked_at as c
    inner join catalog.item as i on i.id = c.ref and i.kind = c.kind and i.version = c.version
    cross join catalog.call_terms(i.id) as w (terms)
    where c.attempts > 1 and not (w.terms ->> 'may_repeat')::boolean and not w.terms ? 'key_argument'
    order by 3, 2, 1;
$function$;
comment on function api.call_gaps(timestamptz) is
'Finds contradictions in the call log. Argument since: only calls that began at this time or later are checked. '
'Returns for each contradiction: its name (process_gone, never_ended, twice, without_duration, without_size or '
'repeated), the id of the call, and an explanation. Returns no rows if the log is consistent.';
alter function api.call_gaps owner to qm_reader;
grant execute on function api.call_gaps to qm_admin;
