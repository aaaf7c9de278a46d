create or replace function knowledge.library_name(p_name text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select lower(regexp_replace(btrim(left(p_name, 200)), '[-_.]+', '-', 'g') collate core.c_utf8);
$function$;
comment on function knowledge.library_name(text) is
'Normalises the name of a library. Argument p_name: the name as somebody wrote it. Returns the name in lower case, '
'with single hyphens as separators.';
grant execute on function knowledge.library_name to qm_reader;
