-- Schedules the jobs in pg_cron, if that extension is installed. Each minute, pg_cron runs the job that has been due
-- for the longest time. It runs the job as qm_service and not as the login that installs, because the function is code
-- of qm_owner. Only a superuser may schedule for another login. A running service runs the same jobs; api.run_job
-- ensures that a job does not run twice.
do $do$
begin
    if
        not exists (select from pg_extension as e where e.extname = 'pg_cron')
        or to_regprocedure('cron.schedule_in_database(text, text, text, text, text, boolean)') is null
        or not has_schema_privilege('cron', 'usage')
    then
        return;
    end if;
    -- Earlier releases let it run as the login that installed.
    perform cron.unschedule(j.jobid)
    from cron.job as j
    where j.jobname = 'quartermaster' and j.database = current_database() and j.username <> 'qm_service';
    if (select r.rolsuper from pg_roles as r where r.rolname = current_user) then
        perform cron.schedule_in_database(
            'quartermaster', '* * * * *',
            format(
                'set qm.principal = %L; set role qm_operator; select job from api.run_job()',
                -- That of the login which installs.
                (pg_temp.ask_owner('select policy.principal_id() as id') -> 0 ->> 'id')::bigint
            ),
            current_database(), 'qm_service'
        );
    end if;
end
$do$;
