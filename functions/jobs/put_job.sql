-- jobs.put_job: if an operator has changed the interval of a job or disabled it, that change is kept. A new job first
-- runs after one interval. The files under sql/seeds/ call this function.
-- Writes: jobs.job.
create or replace function jobs.put_job(p_name text, p_description text, p_every interval, p_routine text)
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    if to_regprocedure(format('%s()', p_routine)) is null then
        perform core.fail(
            'kind_invalid',
            format('there is no function %s() for the job %L', left(p_routine, 200), left(p_name, 200)),
            null,
            'A job calls a function without arguments.'
        );
    end if;
    insert into jobs.job as j (name, description, every, routine, next_at)
    values (p_name, p_description, p_every, p_routine, core.now() + p_every)
    on conflict (name) do update
    set description = excluded.description, routine = excluded.routine, folder = excluded.folder;
end
$function$;
comment on function jobs.put_job(text, text, interval, text) is
'Registers a job, or changes the description and the function of an existing job. Arguments: p_name: name of the job; '
'p_description: description of the job; p_every: interval of a new job (an existing job keeps its interval); '
'p_routine: name of the function that the job calls, with its schema. Raises QM422 kind_invalid.';
