-- catalog.tool_cards: tools as capability cards, in the form that search.put_cards takes.
create or replace function catalog.tool_cards(p_tool_ids bigint[])
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_agg(
            jsonb_build_object(
                'ref', t.id,
                'name', t.callable_name,
                'origin', o.name,
                'label', t.name,
                'brief', t.brief,
                'fields', jsonb_build_array(t.name, concat_ws(' ', t.title, o.name, w.text), t.description, p.text),
                'embedding_text', concat_ws(
                    ' ', search.split_identifiers(o.name), search.split_identifiers(t.name) || ':', nullif(t.description, ''), nullif(p.text, ''), w.text
                )
            )
            order by t.id
        ), '[]'
    )
    from catalog.tool as t
    inner join catalog.origin as o on o.id = t.origin_id
    cross join lateral (select catalog.parameter_text(t.input_schema) as text) as p
    -- The first words say what the server is for; the rest is instructions for people.
    cross join lateral (select nullif(left(o.description, 200), '') as text) as w
    where t.id = any(p_tool_ids);
$function$;
comment on function catalog.tool_cards(bigint[]) is 'JSON array of cards: fields are name, title and origin (with the beginning of its description), description, parameters.';
