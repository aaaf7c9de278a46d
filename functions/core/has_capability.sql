create or replace function core.has_capability(p_name text)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce((select c.installed from core.capability as c where c.name = p_name), false);
$function$;
comment on function core.has_capability(text) is
'Checks whether the database server has an optional feature (capability). Argument p_name: name of the capability. '
'Returns true if the installer has found the capability, otherwise false. Also returns false for an unknown name.';
grant execute on function core.has_capability to qm_reader;
