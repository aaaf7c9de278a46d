-- recipes.card: the card of a recipe, from its definition of now or of then.
create or replace function recipes.card(p_ref bigint, p_name text, p_origin text, p_origin_description text, p_definition jsonb)
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
        'brief', catalog.brief(d.description),
        'fields', jsonb_build_array(d.name, p_origin, d.description, d.ingredients),
        'embedding_text', concat_ws(' ', d.name || ':', d.description, d.ingredients),
        'tokens', ceil(length(p_definition::text) / 3.0)
    )
    from jsonb_to_record(p_definition) as d (name text, description text, ingredients text);
$function$;
comment on function recipes.card(bigint, text, text, text, jsonb) is 'Arguments: item; public name; name and description of the origin; definition.';
