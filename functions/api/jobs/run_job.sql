-- api.run_job: the row of the job stays locked until the end of the run, so that no two processes run it. If the
-- process is killed, everything rolls back and the job stays due.
-- Definer: operators have no permission to write the tables that jobs change. They still cannot choose what a job does,
-- because only the installer writes routines to jobs.job.
-- Writes: jobs.job, jobs.run, and what the job writes.
create or replace function api.run_job(name text default null)
returns table (job text, result jsonb, failure text, duration_ms real)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_started constant timestamptz := clock_timestamp();
    v_job jobs.job;
    v_run record;
begin
    perform policy.require_principal();
    if run_job.name is not null then
        perform jobs.require_job(run_job.name);
    end if;
    select j.*
    into v_job
    from jobs.job as j
    where case
        -- A time so far away was set by a clock that has been set back since.
        when run_job.name is null then j.enabled and (j.next_at <= v_now or j.next_at > v_now + 2 * j.every)
        else j.name = run_job.name
    end
    and not core.is_hidden(j.folder)
    order by j.next_at, j.name
    limit 1
    for update skip locked;
    if v_job.name is null then
        if run_job.name is not null then
            perform core.fail('job_running', format('the job %L is already running', run_job.name));
        end if;
        return;
    end if;

    select * into v_run from jobs.run(v_job.routine);
    insert into jobs.run (job, started_at, finished_at, late_by, result, failure)
    values (
        v_job.name, v_now, v_now + (clock_timestamp() - v_started),
        greatest(v_now - v_job.next_at, interval '0'), v_run.result, v_run.failure
    );
    update jobs.job as j
    set next_at = jobs.next_time(least(v_job.next_at, v_now), v_job.every, v_now)
    where j.name = v_job.name;
    delete from jobs.run as r
    where r.job = v_job.name and r.started_at < v_now - (core.get_setting('job.keep') #>> '{}')::interval;

    return query
    select v_job.name, v_run.result, v_run.failure, (extract(epoch from clock_timestamp() - v_started) * 1000)::real;
end
$function$;
comment on function api.run_job(text) is
'Runs one job and logs its result. Argument name: name of a job to run immediately, even if the job is not due or is '
'disabled (null: the job that has been due for the longest time). Returns the result of the job or the reason for the '
'failure, and the duration in milliseconds. If name is null, the function returns no row in two cases: no job is due, '
'or other processes are running all due jobs. Raises QM404 job_not_found, QM409 job_running. Can be null: failure.';
grant execute on function api.run_job to qm_operator;
