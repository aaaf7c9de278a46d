-- core.leading_instance: the oldest process that runs the command `qm up` is chosen. If no process runs this command,
-- the oldest process of any kind is chosen.
create or replace function core.leading_instance()
returns uuid
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select i.id
    from core.instance as i
    where i.seen_at > core.now() - (core.get_setting('instance.timeout') #>> '{}')::interval
    order by i.kind = 'up' desc, i.started_at, i.id
    limit 1;
$function$;
comment on function core.leading_instance() is
'Chooses one of the running service processes for work that only one process may do. Returns the id of this process. '
'Returns null if no service process is running.';
