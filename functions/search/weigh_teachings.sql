-- search.weigh_teachings: a goal that only shares words with the goal of a teaching is nearer to the text of another
-- card than to that goal. So the lead counts: the cosine of both goals, minus the highest cosine of the goal with the
-- text of a card that the teaching does not name. A wrong card is lowered only as far as the goal is also nearer to the
-- teaching than to the text of this card, or it would be lost for its own goals. The strength rises from 0 at a lead of
-- -0.1 to 1 at 0.3; for the same goal it is 2. These numbers and the odds in the settings were chosen on three desks
-- and measured on the fourth, for each desk in turn (lab/notes/selection.md#teachings). Of several teachings about a
-- card, the strongest counts.
create or replace function search.weigh_teachings(
    p_card_ids bigint[], p_against_ids bigint[], p_nearness real[], p_candidates search.candidate[]
)
returns table (card_id bigint, odds real)
language sql
stable parallel safe security invoker
rows 2
set search_path = pg_catalog, pg_temp
as $function$
    with teaching as (
        select
            t.card_id,
            t.against_id,
            case
                when t.nearness = real 'infinity' then 2
                else least(1, (t.nearness - coalesce(r.dense, 0) + 0.1) / 0.4)
            end as strength,
            case
                when t.nearness = real 'infinity' then 2
                else least(1, (t.nearness - greatest(r.dense, w.dense, 0) + 0.1) / 0.4)
            end as strength_against
        from unnest(p_card_ids, p_against_ids, p_nearness) as t (card_id, against_id, nearness)
        left join unnest(p_candidates) as n on n.card_id = t.card_id
        left join unnest(p_candidates) as w on w.card_id = t.against_id
        cross join lateral (
            select max(c.dense) as dense
            from unnest(p_candidates) as c
            where c.card_id <> t.card_id
                and c.card_id is distinct from t.against_id
                and c.label is distinct from n.label -- a twin of the right card
        ) as r
    ),

    weighed as (
        select t.card_id, t.strength * core.get_setting('teaching.odds')::real as raised, 0 as lowered
        from teaching as t
        where t.strength > 0
        union all
        select t.against_id, 0, t.strength_against * core.get_setting('teaching.odds_against')::real
        from teaching as t
        where t.strength_against > 0 and t.against_id is not null
    )

    select w.card_id, (max(w.raised) - max(w.lowered))::real
    from weighed as w
    group by w.card_id;
$function$;
comment on function search.weigh_teachings(bigint[], bigint[], real[], search.candidate[]) is
'Computes what teachings add to the log odds of candidates. Arguments: p_card_ids, p_against_ids and p_nearness: the '
'right card, the wrong card and the nearness of each teaching, from search.match_teachings; p_candidates: the '
'candidates. Returns the cards whose odds change, and by how much: above 0 for right cards, below 0 for wrong cards.';
