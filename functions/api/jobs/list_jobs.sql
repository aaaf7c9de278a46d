create or replace function api.list_jobs()
returns table (
    name text,
    description text,
    every interval,
    enabled boolean,
    next_at timestamptz,
    last_started_at timestamptz,
    last_duration_ms real,
    last_result jsonb,
    last_failure text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        j.name,
        j.description,
        j.every,
        j.enabled,
        j.next_at,
        r.started_at,
        (extract(epoch from r.finished_at - r.started_at) * 1000)::real,
        r.result,
        r.failure
    from jobs.job as j
    left join lateral (
        select x.* from jobs.run as x where x.job = j.name order by x.started_at desc, x.id desc limit 1
    ) as r on true
    order by j.name;
$function$;
comment on function api.list_jobs() is
'Lists the jobs. Example: `select name, every, next_at, last_failure from list_jobs();` Returns for each job: its '
'interval; the time of its next run; and, for its last run, the start time, the duration in milliseconds, and the '
'result or the reason for the failure. Can be null: last_started_at, last_duration_ms, last_failure.';
alter function api.list_jobs owner to qm_reader;
grant execute on function api.list_jobs to qm_operator;
