create or replace function knowledge.document_key(p_library text, p_topic text, out library text, out topic text)
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select
        case when starts_with(p_library, '/') then left(p_library, 200) else knowledge.library_name(p_library) end,
        left(
            btrim(
                regexp_replace(lower(coalesce(p_topic, '') collate core.c_utf8), '\s+' collate core.c_utf8, ' ', 'g')
            ),
            200
        );
$function$;
comment on function knowledge.document_key(text, text) is
'Computes the key under which fetched documentation is stored. Arguments: p_library: name of a library, or an id that '
'begins with a slash; p_topic: the topic of a lookup. Returns the library, whose name is normalised and whose id is '
'not changed, and the topic in lower case, with single spaces, cut to 200 characters.';
