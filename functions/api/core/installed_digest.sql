-- Reads: core.release.
create or replace function api.installed_digest()
returns text
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select r.digest from core.release as r order by r.installed_at desc limit 1;
$function$;
comment on function api.installed_digest() is
'Returns the SHA-256 of all SQL files of the installed version, in hexadecimal. A service process that was started '
'with another digest stops.';
alter function api.installed_digest owner to qm_reader;
grant execute on function api.installed_digest to qm_operator;
