-- catalog.definition_texts: what a model reads of tools, member by member; the name together with that of the origin.
create or replace function catalog.definition_texts(p_tool_ids bigint[])
returns table (tool_id bigint, version integer, member text, text text)
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select t.id, t.version, m.member, m.text
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    cross join lateral (
        values
        ('name', o.name || E'\n' || t.name),
        ('title', t.title),
        ('description', t.description),
        ('input_schema', catalog.schema_text(t.input_schema)),
        ('output_schema', catalog.schema_text(t.output_schema)),
        ('annotations', catalog.schema_text(t.annotations)),
        ('examples', catalog.schema_text(t.examples)),
        ('extra', catalog.schema_text(t.extra - 'icons'))
    ) as m (member, text)
    where t.id = any(p_tool_ids) and m.text <> '';
$function$;
comment on function catalog.definition_texts(bigint[]) is 'Arguments: tools. Returns of each, at its newest version, the texts of name, title, description, schemas, annotations, examples and the rest.';
