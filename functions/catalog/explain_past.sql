-- catalog.explain_past: a search of the past shows what was offered then, whatever has become of it: it leaves out no
-- duplicates, and nothing because it cannot be used now.
create or replace function catalog.explain_past(
    p_kind text,
    p_name text,
    p_goal text,
    p_vector ext.vector,
    p_as_of timestamptz,
    p_mode selection.mode,
    p_top integer,
    p_knows boolean
)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    -- As in catalog.past_cards, although operators may read items that are withheld.
    v_item_id constant bigint := (
        select i.id
        from catalog.item as i
        where i.kind = p_kind and i.public_name = p_name and i.status not in ('pending', 'quarantined')
    );
    v_rank record;
    v_since timestamptz;
    v_was_there boolean;
begin
    select
        max(p.rank) filter (where p.item_id = v_item_id) as rank,
        max(p.score) filter (where p.item_id = v_item_id) as score,
        max(p.score) filter (where p.rank = p_top) as least
    into v_rank
    from catalog.rank_past(p_kind, p_goal, p_vector, p_as_of, p_mode) as p;
    if v_rank.rank <= p_top then
        return jsonb_build_object('reason', 'offered', 'detail', jsonb_build_object('rank', v_rank.rank), 'remedy', '');
    end if;
    if v_rank.rank is not null then
        return jsonb_build_object(
            'reason', 'below_cut',
            'detail', jsonb_build_object(
                'rule', 'below_cut',
                'place', v_rank.rank,
                'top', p_top,
                'value', v_rank.score,
                'least', v_rank.least,
                'by', v_rank.least - v_rank.score
            ),
            'remedy', 'Ask for more results, or word the goal with the words of the description.'
        );
    end if;
    select
        coalesce(bool_or(o.valid_from <= p_as_of and (o.valid_to is null or o.valid_to > p_as_of)), false),
        min(o.valid_from) filter (where o.valid_from > p_as_of)
    into v_was_there, v_since
    from catalog.offer as o
    inner join catalog.item_version as v on v.item_id = o.item_id and v.version = o.version
    where o.item_id = v_item_id and catalog.is_for_models(v.definition);
    if not v_was_there then
        return coalesce(
            catalog.explain_status(p_kind, p_name, p_knows),
            case
                when v_item_id is not null then jsonb_build_object(
                    'reason', 'not_there_then',
                    'detail', jsonb_build_object('as_of', p_as_of, 'offered_from', v_since),
                    'remedy', 'Search without as_of, or at a time when it was offered.'
                )
            end
        );
    end if;
    return jsonb_build_object(
        'reason', 'in_no_channel',
        'detail', jsonb_build_object(
            'channels', catalog.past_places(p_kind, p_goal, p_vector, p_as_of, p_mode, v_item_id)
        ),
        'remedy', 'Word the goal with the words of the name and the description.'
    );
end
$function$;
comment on function catalog.explain_past(
    text, text, text, ext.vector, timestamptz, selection.mode, integer, boolean
) is
'Explains why a search of the past does not show an item. Arguments: p_kind: kind of card; p_name: public name of the '
'item; p_goal: the goal; p_vector: vector of the goal (null: no vector); p_as_of: the given time; p_mode: the search '
'mode; p_top: maximum number of items; p_knows: as in catalog.explain_status. Returns {reason, detail, remedy}: '
'offered (with the rank), below_cut, status (if the item was not offered then, or is pending or quarantined now), '
'not_there_then or in_no_channel. Returns null if the caller may see no such item.';
grant execute on function catalog.explain_past to qm_reader;
