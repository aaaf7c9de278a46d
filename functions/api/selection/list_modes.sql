-- api.list_modes: the modes with every number of their profile.
create or replace function api.list_modes()
returns table (name text, profile jsonb)
language sql
stable parallel safe security invoker
rows 3
set search_path = pg_catalog, pg_temp
as $function$
    select m.name, to_jsonb(m) - 'name'
    from selection.mode as m
    order by m.lexical, m.name;
$function$;
comment on function api.list_modes() is 'The modes, the least thorough first. profile: JSON with every column of selection.mode, as api.configure_modes takes it.';
