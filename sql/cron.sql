-- Where pg_cron is, it runs the jobs that are due, each minute the one that has been due longest, as whoever installs: an
-- administrator. A service that is there as well runs them, too: api.run_job lets no two do the same.
do $do$
begin
    if to_regprocedure('cron.schedule(text, text, text)') is not null and has_schema_privilege('cron', 'usage') then
        perform cron.schedule('quartermaster', '* * * * *', 'select job from api.run_job()');
    end if;
end
$do$;
