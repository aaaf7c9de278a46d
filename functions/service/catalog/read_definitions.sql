-- service.read_definitions: the process caches one description of a card for all callers. A kind must therefore
-- describe a card in the same way for every caller, and cards with an audience are left out. Cards that are not offered
-- are left out, too.
-- Definer: the service calls this function without a principal, so the row policy hides all rows of search.card. Only
-- the service's login may call the function, and the service shows a card only to principals who may see the card.
create or replace function service.read_definitions(cards bigint[])
returns table (
    id bigint, state bigint, kind text, public_name text, own_name text, origin text, fields text[], body jsonb
)
language plpgsql
stable parallel safe security definer
rows 1000
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_kind search.kind;
begin
    for v_kind in
        select k.*
        from search.kind as k
        where exists (select from search.card as c where c.kind = k.name and c.id = any(read_definitions.cards))
    loop
        return query execute format(
            $query$
            select
                c.id, (extract(epoch from c.updated_at) * 1000000)::bigint, c.kind, c.name, i.name, c.origin,
                array(
                    select search.split_identifiers(f.text)
                    from jsonb_array_elements_text(
                        coalesce(%s -> 'fields', jsonb_build_array(c.name, c.origin, c.brief, ''))
                    ) as f (text)
                ),
                jsonb_build_object(
                    'ref', c.ref, 'brief', c.brief, 'tokens', c.tokens, 'origin_id', i.origin_id, 'version', i.version,
                    'content_hash', encode(v.content_hash, 'hex'), 'valid_from', v.valid_from, 'said', d.said,
                    'definition', nullif(i.definition, d.said -> 'definition')
                )
            from search.card as c
            left join catalog.item as i on i.kind = c.kind and i.id = c.ref
            left join catalog.origin as o on o.id = i.origin_id
            left join catalog.item_version as v on v.item_id = i.id and v.version = i.version
            cross join lateral (select coalesce(%s, '{}') as said) as d
            where c.kind = $1 and c.id = any($2) and c.audience_id is null and (i.is_live or i.id is null)
            $query$,
            coalesce(
                v_kind.card_function::regproc || '(i.id, i.public_name, o.name, o.description, i.definition)',
                'null::jsonb'
            ),
            coalesce(v_kind.describe_function::regproc || '(c.ref)', 'null::jsonb')
        )
        using v_kind.name, read_definitions.cards;
    end loop;
end
$function$;
comment on function service.read_definitions(bigint[]) is
'Reads the definitions and texts of cards, so that a process can cache them. Argument cards: ids of the cards. '
'Returns for each card: its id; its state (as in service.read_outage_copy); its kind; its name; the name at the '
'origin; the name of the origin; the searchable texts; and a JSON object with further data. The member `said` of this '
'object contains the description that api.describe_card returns. The member `definition` is null if `said` contains '
'the definition already. Can be null: own_name.';
grant execute on function service.read_definitions to qm_service;
