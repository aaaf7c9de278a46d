create or replace function catalog.server_text(p_definition jsonb)
returns text
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        nullif(p_definition ->> 'description', ''),
        nullif(p_definition ->> 'instructions', ''),
        p_definition ->> 'title',
        ''
    );
$function$;
comment on function catalog.server_text(jsonb) is
'Chooses the text that best explains the purpose of a server. Argument p_definition: texts of the server about itself, '
'in the members description, instructions and title. Returns the first of these texts that is not empty (or an empty '
'text).';
