-- pg_cron: runs the scheduled jobs. It works only in the database that the setting cron.database_name names. In any
-- other database, the service runs the jobs.
do $do$
begin
    if current_setting('cron.database_name', true) = current_database() then
        create extension if not exists pg_cron;
    end if;
end
$do$;
