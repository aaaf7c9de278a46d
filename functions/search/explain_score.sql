create or replace function search.explain_score(
    p_kind text, p_features real[], p_weights real[], p_profiles text[] default null, p_goal text default null
)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_object_agg(
            n.name,
            jsonb_strip_nulls(
                jsonb_build_object(
                    'value', round(n.value::numeric, 4), 'share', round((n.value * n.weight)::numeric, 4)
                )
            )
        ),
        '{}'
    )
    from rows from (
        unnest(search.feature_names(p_kind)),
        unnest(p_features),
        unnest((
            select search.silence(p_kind, c.score[2:], p_weights)
            from search.coefficients(p_kind, coalesce(p_profiles, array[(search.goal_model()).name]), p_goal) as c
        ))
    ) as n (name, value, weight);
$function$;
comment on function search.explain_score(text, real[], real[], text[], text) is
'Explains a learned score: splits the score into one number for each feature. Arguments: p_kind: kind of card; '
'p_features: features of a candidate, as search.search returns them; p_weights: weights of the search by words, by '
'meaning and by name (0: this search is switched off); p_profiles: names of the sets of learned weights (profiles) '
'that are used (null: the profile of the goal''s model); p_goal: the goal, as in search.coefficients. Returns for each '
'feature: the value of the feature, and the feature''s share of the learned score (value times learned weight). The '
'share is missing for a feature without a learned weight.';
grant execute on function search.explain_score to qm_reader;
