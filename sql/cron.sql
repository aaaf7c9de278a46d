-- Schedules the jobs in pg_cron, if it is installed: each minute it runs the job that has been due
-- longest, as the installing administrator. A running service does the same; api.run_job keeps the
-- two from running one job twice.
do $do$
begin
    if to_regprocedure('cron.schedule(text, text, text)') is not null and has_schema_privilege('cron', 'usage') then
        perform cron.schedule('quartermaster', '* * * * *', 'select job from api.run_job()');
    end if;
end
$do$;
