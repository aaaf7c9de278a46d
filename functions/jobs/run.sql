-- jobs.run: runs a job's routine; what it raises is its result, and undoes what it did.
-- Only routines of jobs.job come here, and only the installation writes those.
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
comment on function jobs.run(text) is 'Argument: function without arguments that returns a JSON object. Returns that, or the message and SQLSTATE of its error.';
