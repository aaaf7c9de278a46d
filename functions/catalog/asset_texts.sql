-- catalog.asset_texts: what a model reads of resources, templates, prompts and servers, member by member, as rules of the scan name them.
-- What a server tells models is a description like any other.
create or replace function catalog.asset_texts(p_asset_ids bigint[])
returns table (asset_id bigint, version integer, member text, text text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select a.id, a.version, m.member, m.text
    from catalog.asset as a
    inner join catalog.origin as o on o.id = a.origin_id
    cross join lateral (
        values
        ('name', concat_ws(E'\n', o.name, a.name, a.definition ->> 'name', a.definition ->> 'server')),
        ('title', a.definition ->> 'title'),
        ('description', concat_ws(E'\n', a.definition ->> 'description', a.definition ->> 'instructions')),
        ('input_schema', catalog.schema_text(a.definition -> 'arguments')),
        (
            'extra',
            catalog.schema_text(a.definition - '{uri,uriTemplate,name,server,title,description,instructions,arguments,icons}'::text[])
        )
    ) as m (member, text)
    where a.id = any(p_asset_ids) and m.text <> '';
$function$;
comment on function catalog.asset_texts(bigint[]) is 'Argument: assets. Returns of each, at its newest version, the texts of name, title, description, arguments (as input_schema) and the rest.';
