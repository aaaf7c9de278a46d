-- catalog.explain_absence: it runs the steps of api.search_cards, with the same functions and arguments, and looks
-- where the card drops out. The first true reason counts: what hides a card comes before what ranks it.
-- Only api.explain_absence may call it, because p_knows says what may be told.
create or replace function catalog.explain_absence(
    p_kind text,
    p_name text,
    p_goal text,
    p_mode text,
    p_top integer,
    p_vector ext.vector,
    p_rerank jsonb,
    p_budget integer,
    p_as_of timestamptz,
    p_knows boolean
)
returns jsonb
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_mode constant selection.mode := selection.choose_mode(p_mode, p_goal);
    v_top constant integer := coalesce(p_top, v_mode.top);
    v_hidden constant jsonb := catalog.explain_hidden(p_kind, p_name, p_knows);
    v_vector ext.vector;
    v_card record;
    v_found search.found[];
    v_candidates selection.candidate[];
    v_least real;
    v_shown bigint[];
    v_away jsonb;
begin
    perform core.require_between('the number of cards', v_top, 1, 100, 'Ask for 1 to 100 cards, or omit the number.');
    if v_hidden is not null then
        return v_hidden;
    end if;
    v_vector := coalesce(p_vector, search.embed_goal(p_goal));
    if p_as_of is not null then
        return catalog.explain_past(p_kind, p_name, p_goal, v_vector, p_as_of, v_mode, v_top, p_knows);
    end if;
    -- As in api.describe_card.
    select c.id, c.ref
    into v_card
    from search.card as c
    where c.kind = p_kind and c.name = p_name
    order by c.audience_id is not null, c.id
    limit 1;
    if v_card.id is null then
        return catalog.explain_status(p_kind, p_name, p_knows);
    end if;

    v_found := selection.prefer_available(
        p_kind, selection.find_candidates(p_kind, p_goal, v_vector, v_mode)
    );
    v_candidates := array(select v from selection.value_cards(array[p_kind], v_found, p_rerank, v_mode) as v);
    v_least := selection.least_of(v_candidates, p_goal, v_mode.tail);
    v_shown := array(
        select d.card_id
        from selection.diversify(
            array(select c from unnest(v_candidates) as c where (c.probability < v_least) is not true),
            v_mode.lambda,
            v_mode.top,
            v_top,
            p_budget
        ) as d
        order by d.rank
    );
    v_away := selection.explain_unavailable(p_kind, v_card.ref);
    if v_card.id = any(v_shown) then
        return jsonb_build_object(
            'reason', 'offered',
            'detail', jsonb_build_object(
                'rank', array_position(v_shown, v_card.id),
                'weak', coalesce(selection.fit_of(v_candidates, p_goal) < v_mode.floor, false),
                'unavailable', v_away #>> '{detail,cause}'
            ),
            'remedy', coalesce(v_away ->> 'remedy', '')
        );
    end if;
    return coalesce(
        v_away,
        selection.explain_duplicate(p_kind, v_card.id, v_found, v_mode, v_vector is not null),
        selection.explain_unfound(p_kind, p_goal, v_vector, v_mode, v_card.id, v_found),
        selection.explain_unshown(v_candidates, v_shown, v_card.id, v_mode, v_top, p_budget, v_least)
    );
end
$function$;
comment on function catalog.explain_absence is
'Explains why a search does not show a card to the principal. Arguments: p_kind, p_name: the card; p_goal: the goal; '
'p_mode: name of the search mode; p_top: maximum number of cards (null: as the mode says); p_vector: vector of the '
'goal (null: the database computes it); p_rerank: scores of a reranker (null: none); p_budget: maximum number of '
'tokens (null: no limit); p_as_of: a time in the past (null: now); p_knows: whether the person who asks may know about '
'hidden items. Returns {reason, detail, remedy}; null if the principal may see no such card.';
grant execute on function catalog.explain_absence to qm_reader;
