-- catalog.asset_texts: the instructions of a server count as a description.
create or replace function catalog.asset_texts(p_definition jsonb)
returns table (member text, text text)
language sql
immutable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    values
    ('name', concat_ws(E'\n', p_definition ->> 'name', p_definition ->> 'server')),
    ('title', p_definition ->> 'title'),
    ('description', concat_ws(E'\n', p_definition ->> 'description', p_definition ->> 'instructions')),
    ('input_schema', catalog.schema_text(p_definition -> 'arguments')),
    (
        'extra',
        catalog.schema_text(
            p_definition - '{uri,uriTemplate,name,server,title,description,instructions,arguments,icons}'::text[]
        )
    );
$function$;
comment on function catalog.asset_texts(jsonb) is
'Finds the texts that a model reads in a resource, a template, a prompt or the instructions of a server. Argument '
'p_definition: the definition, in the form in which the origin lists the item. Returns one text each for the name, the '
'title, the description, the arguments and all other members. With each text, returns the name that scan rules use for '
'this text (input_schema for arguments).';
