create or replace function catalog.asset_card(
    p_ref bigint, p_name text, p_origin text, p_origin_description text, p_definition jsonb
)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'ref', p_ref,
        'name', p_name,
        'origin', p_origin,
        'label', d.name,
        'brief', catalog.brief(coalesce(d.description, d.title, d.instructions)),
        'fields', jsonb_build_array(
            concat_ws(' ', d.name, d.server, d.uri, d."uriTemplate"),
            concat_ws(' ', d.title, p_origin, w.text),
            concat_ws(' ', d.description, d.instructions),
            a.text
        ),
        'embedding_text', concat_ws(
            ' ',
            search.split_identifiers(p_origin),
            search.split_identifiers(d.name) || ':',
            d.title,
            d.description,
            left(d.instructions, 1000),
            nullif(a.text, ''),
            w.text
        ),
        'tokens', ceil(length(concat(p_name, d.title, d.description)) / 4.0 + length(d.arguments::text) / 3.0)
    )
    from jsonb_to_record(p_definition) as d (
        name text, server text, title text, description text, instructions text, uri text, "uriTemplate" text,
        arguments jsonb
    )
    cross join lateral (select catalog.schema_text(d.arguments) as text) as a
    cross join (select nullif(left(p_origin_description, 200), '') as text) as w;
$function$;
comment on function catalog.asset_card(bigint, text, text, text, jsonb) is
'Builds the card of a resource, a template, a prompt or the instructions of a server. Arguments: p_ref: id of the '
'item, or of a past version of the item; p_name: public name of the item; p_origin: name of the origin; '
'p_origin_description: description of the origin; p_definition: the definition, in the form in which the origin lists '
'the item. Returns a card with four searchable texts: name and URI; title and origin; description or instructions; and '
'arguments. Only the first 1,000 characters of instructions are embedded.';
