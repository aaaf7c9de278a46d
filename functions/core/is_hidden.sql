create or replace function core.is_hidden(p_folder text)
returns boolean
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select exists (select from core.kind_folder as f where f.name = p_folder and f.is_hidden);
$function$;
comment on function core.is_hidden(text) is
'Checks whether a kind folder is hidden. Argument p_folder: name of the folder (empty: Quartermaster itself). Returns '
'true if the folder was installed earlier, and the settings no longer name it.';
grant execute on function core.is_hidden to qm_reader, qm_admin;
