create or replace function api.list_job_runs(name text default null, maximum integer default 50)
returns table (
    run bigint, job text, started_at timestamptz, duration_ms real, late_by interval, result jsonb, failure text
)
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    if list_job_runs.name is not null then
        perform jobs.require_job(list_job_runs.name);
    end if;
    return query
    select
        r.id,
        r.job,
        r.started_at,
        (extract(epoch from r.finished_at - r.started_at) * 1000)::real,
        r.late_by,
        r.result,
        r.failure
    from jobs.run as r
    where list_job_runs.name is null or r.job = list_job_runs.name
    order by r.started_at desc, r.id desc
    limit list_job_runs.maximum;
end
$function$;
comment on function api.list_job_runs(text, integer) is
'Lists runs of the jobs, newest first. Arguments: name: name of a job (null: all jobs); maximum: maximum number of '
'runs. Returns for each run: the start time, the duration in milliseconds, how much later than planned the run '
'started, and the result or the reason for the failure. Raises QM404 job_not_found. Can be null: failure.';
alter function api.list_job_runs owner to qm_reader;
grant execute on function api.list_job_runs to qm_operator;
