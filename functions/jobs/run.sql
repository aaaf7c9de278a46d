-- jobs.run: if the routine raises an error, its changes are rolled back, and the error is returned as the result.
-- Routines come only from the table jobs.job, and only the installer writes routines to that table.
create or replace function jobs.run(p_routine text, out result jsonb, out failure text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    execute format('select %s()', p_routine::regproc) into strict result;
exception
    when others then
        result := null;
        failure := format('%s (%s)', sqlerrm, sqlstate);
end
$function$;
comment on function jobs.run(text) is
'Runs the routine of a job. Argument p_routine: a function without arguments that returns a JSON object. Returns this '
'JSON object. If the routine raises an error, returns the message and the SQLSTATE of the error.';
