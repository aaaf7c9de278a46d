-- policy.toolset_name: the settings qm.toolset and qm.principal count only in sessions of the service's own login.
create or replace function policy.toolset_name()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when session_user = 'qm_service' then nullif(current_setting('qm.toolset', true), '') end;
$function$;
comment on function policy.toolset_name() is
'Returns the name of the session''s toolset. Returns null if the session uses the whole catalog.';
grant execute on function policy.toolset_name to qm_reader;
