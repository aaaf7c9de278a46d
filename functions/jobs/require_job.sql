create or replace function jobs.require_job(p_name text)
returns text
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if not exists (select from jobs.job as j where j.name = p_name and not core.is_hidden(j.folder)) then
        perform core.fail(
            'job_not_found',
            format('there is no job called %L', p_name),
            (select string_agg(j.name, ', ' order by j.name) from jobs.job as j where not core.is_hidden(j.folder))
        );
    end if;
    return p_name;
end
$function$;
comment on function jobs.require_job(text) is
'Checks that a job exists. Argument p_name: name of the job. Returns the name. Raises QM404 job_not_found if there is '
'no such job.';
grant execute on function jobs.require_job to qm_reader;
