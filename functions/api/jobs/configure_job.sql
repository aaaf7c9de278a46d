-- Writes: jobs.job.
create or replace function api.configure_job(name text, every interval default null, enabled boolean default null)
returns timestamptz
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_next_at timestamptz;
begin
    perform policy.require_principal();
    perform jobs.require_job(configure_job.name);
    if configure_job.every < interval '1 second' then
        perform core.fail(
            'argument_invalid',
            format('the interval of a job must be at least one second, got %s', configure_job.every),
            null,
            'Give an interval such as 5 minutes or 24 hours.'
        );
    end if;
    update jobs.job as j
    set
        every = coalesce(configure_job.every, j.every),
        enabled = coalesce(configure_job.enabled, j.enabled),
        next_at = case
            when configure_job.every is null then j.next_at
            else least(j.next_at, v_now + configure_job.every)
        end
    where j.name = configure_job.name
    returning case when j.enabled then j.next_at end into v_next_at;
    return v_next_at;
end
$function$;
comment on function api.configure_job(text, interval, boolean) is
'Sets the interval of a job, and enables or disables the job. Arguments: name: name of the job; every: interval from '
'one start of the job to the next (null: no change); enabled: true to run the job on its schedule, false to disable '
'the job (null: no change). Returns the time of the next run (null: the job is disabled). Raises QM404 job_not_found, '
'QM422 argument_invalid.';
grant execute on function api.configure_job to qm_operator;
