-- catalog.card: one definition of a tool, now or of the past, as a card in the form that search.put_cards takes.
create or replace function catalog.card(
    p_ref bigint, p_callable_name text, p_origin text, p_origin_description text, p_name text, p_title text, p_description text, p_input_schema jsonb
)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'ref', p_ref,
        'name', p_callable_name,
        'origin', p_origin,
        'label', p_name,
        'brief', catalog.brief(p_description),
        'fields', jsonb_build_array(p_name, concat_ws(' ', p_title, p_origin, w.text), p_description, p.text),
        'embedding_text', concat_ws(
            ' ', search.split_identifiers(p_origin), search.split_identifiers(p_name) || ':', nullif(p_description, ''), nullif(p.text, ''), w.text
        )
    )
    from (select catalog.parameter_text(p_input_schema) as text) as p
    -- The first words say what the server is for; the rest is instructions for people.
    cross join (select nullif(left(p_origin_description, 200), '') as text) as w;
$function$;
comment on function catalog.card(bigint, text, text, text, text, text, text, jsonb) is
'Arguments: row of its own; callable name; name and description of the origin; name, title, description and input schema of the tool. Fields of the card are name, title and origin (with the beginning of its description), description, parameters.';
