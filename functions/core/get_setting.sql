create or replace function core.get_setting(p_name text)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select s.value from core.setting as s where s.name = p_name;
$function$;
comment on function core.get_setting(text) is
'Reads a setting of the database (core.setting). Argument p_name: name of the setting. Returns the value of the '
'setting as JSON. Returns null if the setting does not exist.';
grant execute on function core.get_setting to qm_reader;
