create or replace function search.explain_confidence(p_kind text, p_features real[], p_place real[])
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_object_agg(
            n.name,
            jsonb_build_object('value', round(n.value::numeric, 4), 'share', round((n.value * n.weight)::numeric, 4))
        ) filter (where n.weight <> 0),
        '{}'
    )
    from search.coefficients(p_kind, array[(search.goal_model()).name]) as c
    cross join lateral unnest(
        search.place_names() || c.features || 'intercept'::text,
        p_place || p_features || 1::real,
        c.confidence_place || c.confidence_weights || c.confidence_intercept
    ) as n (name, value, weight)
    where p_place is not null;
$function$;
comment on function search.explain_confidence(text, real[], real[]) is
'Explains a probability: splits the log odds into one number for each feature. Arguments: p_kind: kind of card; '
'p_features: features of a candidate; p_place: place of the candidate in the list, as selection.rate_cards returns it. '
'Returns for each feature with a weight: the value of the feature, and the feature''s share of the log odds (value '
'times weight). The sum of all shares is the log odds.';
grant execute on function search.explain_confidence to qm_reader;
