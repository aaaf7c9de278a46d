-- Schedules the jobs in pg_cron, if that extension is installed. Each minute, pg_cron runs the job
-- that has been due for the longest time, with the rights of the administrator who installed
-- Quartermaster. A running service does the same; api.run_job ensures that a job does not run
-- twice.
do $do$
begin
    if to_regprocedure('cron.schedule(text, text, text)') is not null and has_schema_privilege('cron', 'usage') then
        perform cron.schedule('quartermaster', '* * * * *', 'select job from api.run_job()');
    end if;
end
$do$;
