-- catalog.tool_card: example values that the description of a parameter quotes are given to the embedding model, but
-- are not indexed for the search by words (catalog.without_examples).
create or replace function catalog.tool_card(
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
        'brief', catalog.brief(coalesce(d.brief, d.description)),
        'fields', jsonb_build_array(
            d.name,
            concat_ws(' ', d.title, p_origin, w.text, f.text),
            coalesce(d.description, ''),
            catalog.without_examples(p.text)
        ),
        'embedding_text', concat_ws(
            ' ',
            search.split_identifiers(p_origin),
            search.split_identifiers(d.name) || ':',
            nullif(d.description, ''),
            nullif(p.text, ''),
            f.text,
            w.text
        ),
        'destroys', catalog.tool_destroys(coalesce(p_definition #>> '{repair,listed,name}', d.name), d.annotations),
        -- For the estimate, a token has 4 characters of text or 3 characters of JSON.
        'tokens', ceil(length(concat(p_name, d.title, d.description)) / 4.0 + length(d.input_schema::text) / 3.0),
        -- If an annotation is missing, the default value of the protocol is used.
        'risk', case
            when h.hints @> '{"readOnlyHint": true}' then 0
            when d.annotations @> '{"destructiveHint": false}' then 0.4
            else 0.8
        end + case when d.annotations @> '{"openWorldHint": false}' then 0 else 0.2 end
    )
    from jsonb_to_record(p_definition) as d (
        name text, title text, description text, brief text, phrases jsonb, input_schema jsonb, annotations jsonb
    )
    cross join lateral (select catalog.parameter_text(d.input_schema) as text) as p
    cross join lateral (
        select string_agg(f.phrase, '. ' order by f.position) as text
        from jsonb_array_elements_text(d.phrases) with ordinality as f (phrase, position)
    ) as f
    -- Only the first words of the description are used, because they say what the server does. The rest usually
    -- explains how to set up the server.
    cross join (select nullif(left(p_origin_description, 200), '') as text) as w
    cross join catalog.careful_hints(d.annotations) as h (hints);
$function$;
comment on function catalog.tool_card(bigint, text, text, text, jsonb) is
'Builds the card of a tool from a current or past definition. Arguments: p_ref: id of the item; p_name: public name; '
'p_origin: name of the origin; p_origin_description: description of the origin; p_definition: definition of the tool. '
'Returns the card as JSON. The card has four fields: the name; the title and the origin (with the start of the '
'origin''s description) and the phrases of a repair; the description; and the parameters. The member "tokens" is the '
'estimated size of the definition, in tokens. The member "risk" is a number from 0 (the tool only reads, and affects '
'only its own server) to 1 (the tool may destroy something, and affects other systems).';
