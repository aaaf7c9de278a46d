create or replace function api.list_capabilities()
returns table (name text, installed boolean, required boolean, version text, used_for text, stand_in text, reason text)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select c.name, c.installed, c.required, c.version, c.used_for, c.stand_in, c.reason
    from core.capability as c
    order by c.required desc, c.name;
$function$;
comment on function api.list_capabilities() is
'Lists the features of the database server that Quartermaster needs or can use (capabilities). Returns one row for '
'each feature, required features first. Can be null: version, reason.';
alter function api.list_capabilities owner to qm_reader;
grant execute on function api.list_capabilities to qm_user;
