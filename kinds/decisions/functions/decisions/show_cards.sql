-- decisions.show_cards: candidates have no card, so no search finds them.
-- Writes: cards.
create or replace function decisions.show_cards(p_ids bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform search.remove_cards(
        'decision',
        array(
            select d.id
            from decisions.decision as d
            where d.id = any(p_ids) and (d.status <> 'canonical' or d.superseded_by is not null)
        )
    );
    perform search.put_cards(
        'decision',
        jsonb_agg(
            jsonb_build_object(
                'ref', d.id,
                'name', 'decision-' || d.id,
                'origin', p.name,
                'label', left(d.pattern, 200),
                'brief', catalog.brief(d.pattern),
                'fields', jsonb_build_array(
                    d.pattern,
                    translate(d.scope_value, '*', ' '),
                    concat_ws(' ', d.instead, d.rationale, d.applies_when),
                    array_to_string(d.keywords, ' ')
                ),
                'embedding_text', concat_ws(
                    ' ', d.pattern, d.instead, d.applies_when, array_to_string(d.keywords, ' ')
                ),
                'categories', array[d.polarity],
                'tokens', decisions.tokens(d.pattern, d.instead, d.scope_value, d.rationale),
                'audience', p.audience_id
            )
        )
    )
    from decisions.decision as d
    inner join projects.project as p on p.id = d.project_id
    where d.id = any(p_ids) and d.status = 'canonical' and d.superseded_by is null
    having count(*) > 0;
end
$function$;
comment on function decisions.show_cards(bigint[]) is
'Creates a card for each given decision that is canonical, and removes the card of each given decision that is not '
'canonical. Argument p_ids: ids of changed decisions.';
