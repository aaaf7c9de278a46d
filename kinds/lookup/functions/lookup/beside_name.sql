-- lookup.beside_name: the caller looks for the name of another row in the rest of the query.
create or replace function lookup.beside_name(p_query_label text, p_label text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select replace(' ' || p_query_label || ' ', ' ' || p_label || ' ', '  ')
    where strpos(p_label, ' ') > 0 and strpos(' ' || p_query_label || ' ', ' ' || p_label || ' ') > 0;
$function$;
comment on function lookup.beside_name(text, text) is
'Removes a name from a query. Arguments: p_query_label: the normalised query; p_label: the normalised name. Returns '
'the rest of the query, with a space on each side (null: the query does not contain the whole name, or the name is one '
'word).';
