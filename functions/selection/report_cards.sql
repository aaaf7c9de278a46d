create or replace function selection.report_cards(
    p_candidates selection.candidate[],
    p_found search.found[],
    p_found_of jsonb,
    p_shown bigint[],
    p_redundancies real[],
    p_nearest bigint[],
    p_budget integer,
    p_least real,
    p_is_weak boolean,
    p_explain boolean,
    p_weights real[],
    p_goal text
)
returns table (withheld jsonb, cards jsonb)
language plpgsql
stable parallel unsafe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    with judged as materialized (
        select f.*, j.rank, j.rule, j.is_tied
        from selection.judge(p_candidates, p_shown, p_budget, p_least) as j
        inner join unnest(p_candidates) as f on f.card_id = j.card_id
    ),

    withheld as (
        select j.kind, j.rule, count(*) as cards
        from judged as j
        where j.rule is not null
        group by j.kind, j.rule
        union all
        select k.kind, 'not_visible', k.found::bigint - (select count(*) from judged as j where j.kind = k.kind)
        from jsonb_each_text(p_found_of) as k (kind, found)
    ),

    reported as (
        select
            j.rank,
            j.value,
            j.card_id,
            j.kind,
            jsonb_strip_nulls(
                jsonb_build_object(
                    'unavailable', j.unavailable,
                    'duplicates', (
                        select jsonb_agg(d.name order by d.id)
                        from search.card as d
                        where
                            d.id = any(o.twins)
                            and policy.is_visible(d.rights_class, (select policy.visible_classes()))
                    )
                )
            ) || jsonb_build_object(
                'rank', j.rank,
                'name', j.name,
                'ref', j.ref,
                'score', round(coalesce(j.probability, least(greatest(j.value, 0), 1))::numeric, 4),
                'weak', p_is_weak and j.probability is not null,
                'scores', selection.rounded(
                    jsonb_build_object('lexical', o.lexical, 'dense', o.dense, 'fuzzy', o.fuzzy, 'sources', o.sources)
                    || case
                        when p_explain
                            then jsonb_build_object(
                                'features', search.explain_score(j.kind, o.features, p_weights, p_goal => p_goal),
                                'confidence', search.explain_confidence(j.kind, o.features, j.place)
                            )
                        else '{}'
                    end
                    || jsonb_strip_nulls(
                        jsonb_build_object(
                            'fused', j.score,
                            'rerank', j.rerank,
                            'tokens', j.tokens,
                            'redundancy', p_redundancies[j.rank]
                        )
                    )
                    || case
                        when p_explain then
                            jsonb_strip_nulls(
                                jsonb_build_object(
                                    'blended', j.blended,
                                    'success', j.success,
                                    'latency', j.latency,
                                    'risk', j.risk,
                                    'value', j.value,
                                    'nearest', (select n.name from search.card as n where n.id = p_nearest[j.rank]),
                                    'tied', j.is_tied,
                                    'withheld', j.rule
                                )
                            )
                        else '{}'
                    end
                )
            ) as report
        from judged as j
        inner join unnest(p_found) as o on o.card_id = j.card_id
        where j.rank is not null or p_explain
    )

    select
        (
            select coalesce(jsonb_object_agg(w.kind, w.rules), '{}')
            from (
                select x.kind, jsonb_object_agg(x.rule, x.cards) as rules
                from withheld as x
                where x.cards > 0
                group by x.kind
            ) as w
        ),
        (
            select coalesce(
                jsonb_agg(
                    jsonb_build_object('kind', r.kind, 'card', r.report) order by r.rank, r.value desc, r.card_id
                ),
                '[]'
            )
            from reported as r
        );
end
$function$;
comment on function selection.report_cards(
    selection.candidate[],
    search.found[],
    jsonb,
    bigint[],
    real[],
    bigint[],
    integer,
    real,
    boolean,
    boolean,
    real[],
    text
) is
'Describes the cards of a search. Arguments: p_candidates: the candidates; p_found: the cards that search.search '
'found; p_found_of: number of found cards by kind, as a JSON object; p_shown: ids of the shown cards, in order; '
'p_redundancies: for each shown card, its similarity to the most similar earlier card; p_nearest: for each shown card, '
'the id of that earlier card; p_budget: maximum number of tokens (null: no limit); p_least: minimum probability of a '
'shown card; p_is_weak: true if no card fits the goal; p_explain: true to explain scores and to describe withheld '
'cards; p_weights: the weights of the three channels in the search mode; p_goal: the goal. Returns the number of '
'withheld cards by kind and rule, and a JSON array of the cards, each as {kind, card}.';
grant execute on function selection.report_cards to qm_reader;
