create or replace function audit.tables()
returns text[]
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select array_agg(distinct format('%s.%s', n.nspname, c.relname) order by format('%s.%s', n.nspname, c.relname))
    from pg_trigger as g
    inner join pg_class as c on c.oid = g.tgrelid
    inner join pg_namespace as n on n.oid = c.relnamespace
    where g.tgfoid = 'audit.record_change()'::regprocedure;
$function$;
comment on function audit.tables() is
'Returns the names of the tables whose changes are recorded, as SCHEMA.TABLE, in alphabetical order.';
grant execute on function audit.tables to qm_reader;
