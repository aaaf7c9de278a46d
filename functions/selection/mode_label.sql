create or replace function selection.mode_label(p_mode selection.mode)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select p_mode.name || '/' || left(md5(p_mode::text), 8);
$function$;
comment on function selection.mode_label(selection.mode) is
'Makes a label that identifies a mode and its present settings. Receipts store this label. The label consists of the '
'name of the mode and of eight hexadecimal digits, which change when a setting changes. Argument p_mode: row of '
'selection.mode. Returns the label, for example balanced/1f2e3d4c.';
grant execute on function selection.mode_label to qm_reader;
