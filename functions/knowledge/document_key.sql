-- knowledge.document_key: the form in which a library is the key of fetched documentation: its normalised name, or its id
-- at the provider as it is written.
create or replace function knowledge.document_key(p_library text)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case when starts_with(p_library, '/') then left(p_library, 200) else knowledge.library_name(p_library) end;
$function$;
comment on function knowledge.document_key(text) is
'Computes the key under which fetched documentation is stored. Argument p_library: name of a library, or an id that '
'begins with a slash. Returns the normalised name for a name. Returns an id unchanged.';
