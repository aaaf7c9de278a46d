-- core.now: tests replace this function to set the time. Other functions therefore call it, and not the function now()
-- of PostgreSQL.
create or replace function core.now()
returns timestamptz
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select statement_timestamp();
$function$;
comment on function core.now() is 'Returns the start time of the current statement.';
grant execute on function core.now to qm_reader;
