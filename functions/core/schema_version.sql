-- core.schema_version: the version is the release that was installed last.
create or replace function core.schema_version()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select r.version from core.release as r order by r.installed_at desc limit 1;
$function$;
comment on function core.schema_version() is
'Returns the version of the installed schema. The service does not start if the service does not support this version.';
grant execute on function core.schema_version to qm_reader;
