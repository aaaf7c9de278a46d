-- policy.toolset_name: through which toolset does the session ask?
-- The setting qm.toolset counts only in sessions of the service's own login, as qm.principal does.
create or replace function policy.toolset_name()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when session_user = 'qm_service' then nullif(current_setting('qm.toolset', true), '') end;
$function$;
comment on function policy.toolset_name() is 'Name of the toolset asked through; null where the whole catalog is asked.';
grant execute on function policy.toolset_name to qm_user;
