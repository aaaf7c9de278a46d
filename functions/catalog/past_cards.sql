-- catalog.past_cards: definitions that were offered at a moment and are not offered now, as cards.
-- Rights are today's: what the asking principal may not see now, and what waits or is in quarantine now, is not shown of the past either.
create or replace function catalog.past_cards(p_as_of timestamptz)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_agg(
            catalog.card(
                f.id, t.callable_name, coalesce(g.name, o.name), coalesce(g.description, o.description), t.name,
                v.definition ->> 'title', coalesce(v.definition ->> 'description', ''), v.definition -> 'input_schema'
            ) order by f.id
        ), '[]'
    )
    from catalog.offer as f
    inner join catalog.tool as t on t.id = f.tool_id
    inner join catalog.origin as o on o.id = t.origin_id
    inner join catalog.tool_version as v on v.tool_id = f.tool_id and v.version = f.version
    left join catalog.origin_version as g on g.origin_id = o.id and g.valid_from <= p_as_of and g.valid_to > p_as_of
    where f.valid_from <= p_as_of
        and f.valid_to > p_as_of
        and not (t.is_live and t.version = f.version)
        and v.approved_at is not null
        and t.status not in ('pending', 'quarantined')
        and policy.is_visible(t.rights_class, (select policy.visible_classes()));
$function$;
comment on function catalog.past_cards(timestamptz) is 'Argument: a moment. JSON array of cards, see catalog.card; ref is the row of catalog.offer.';
