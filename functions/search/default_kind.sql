create or replace function search.default_kind()
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select k.name from search.kind as k where k.is_default;
$function$;
comment on function search.default_kind() is
'Returns the name of the default kind of card. Returns null if no kind of card is the default.';
grant execute on function search.default_kind to qm_reader;
