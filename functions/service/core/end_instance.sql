-- Writes: core.instance.
create or replace function service.end_instance(instance uuid)
returns void
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    delete from core.instance as i where i.id = end_instance.instance;
$function$;
comment on function service.end_instance(uuid) is
'Removes the row of a process that shuts down normally, so that other processes take over the unfinished work of this '
'process. Argument instance: id of the process.';
grant execute on function service.end_instance to qm_operator;
