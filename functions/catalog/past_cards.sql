-- catalog.past_cards: today's rights apply. Items that the caller may not see now, or that are withheld now, do not
-- appear.
create or replace function catalog.past_cards(p_kind text, p_as_of timestamptz)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_cards jsonb;
begin
    execute format(
        $query$
        select coalesce(
            jsonb_agg(
                %s(f.id, i.public_name, coalesce(g.name, o.name), coalesce(g.description, o.description), v.definition)
                || jsonb_build_object('ref', f.id, 'name', i.public_name)
                order by f.id
            ), '[]'
        )
        from catalog.offer as f
        inner join catalog.item as i on i.id = f.item_id
        inner join catalog.origin as o on o.id = i.origin_id
        inner join catalog.item_version as v on v.item_id = f.item_id and v.version = f.version
        left join catalog.origin_version as g on g.origin_id = o.id and g.valid_from <= $2 and g.valid_to > $2
        where i.kind = $1
            and f.valid_from <= $2
            and f.valid_to > $2
            and not (i.is_live and i.version = f.version)
            and v.approved_at is not null
            and i.status not in ('pending', 'quarantined')
            and policy.is_visible(i.rights_class, (select policy.visible_classes()))
            and catalog.is_for_models(v.definition)
        $query$,
        (select k.card_function::regproc from search.kind as k where k.name = p_kind)
    )
    into v_cards
    using p_kind, p_as_of;
    return v_cards;
end
$function$;
comment on function catalog.past_cards(text, timestamptz) is
'Finds definitions that were offered at a given time but are not offered now, and converts these definitions to cards. '
'Arguments: p_kind: kind of card; p_as_of: the given time. Returns a JSON array of cards, in the form that search.kind '
'describes (card_function). The member ref of a card is the id of a row in catalog.offer.';
