create or replace function catalog.tool_texts(p_definition jsonb)
returns table (member text, text text)
language sql
immutable parallel safe security invoker
rows 7
set search_path = pg_catalog, pg_temp
as $function$
    select m.member, m.text
    from jsonb_to_record(p_definition) as d (
        name text, title text, description text, brief text, phrases jsonb, input_schema jsonb, output_schema jsonb,
        annotations jsonb, examples jsonb, extra jsonb, repair jsonb
    )
    cross join lateral (
        values
        -- The name that the origin gives is scanned for every kind (catalog.item_texts).
        ('name', case when d.repair is not null then d.name end),
        ('title', d.title),
        (
            'description',
            nullif(
                concat_ws(
                    E'.\n', d.description, d.brief, nullif(catalog.schema_text(coalesce(d.phrases, '[]')), '')
                ),
                ''
            )
        ),
        ('input_schema', catalog.schema_text(d.input_schema)),
        ('output_schema', catalog.schema_text(d.output_schema)),
        ('annotations', catalog.schema_text(d.annotations)),
        ('examples', catalog.schema_text(d.examples)),
        ('extra', catalog.schema_text(d.extra - 'icons'))
    ) as m (member, text);
$function$;
comment on function catalog.tool_texts(jsonb) is
'Finds the texts in a tool''s definition that a model reads. Argument p_definition: definition of the tool. Returns '
'each text, and the member of the definition from which the text comes, such as description or input_schema.';
