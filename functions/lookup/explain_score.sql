-- lookup.explain_score: the learned score term by term; features that say nothing are left out.
create or replace function lookup.explain_score(p_table text, p_features real[], p_has_vector boolean default false)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        jsonb_object_agg(
            n.name, jsonb_build_object('value', round(n.value::numeric, 4), 'share', round((n.value * n.weight)::numeric, 4))
        ) filter (where n.value <> 0), '{}'
    )
    from rows from (
        unnest(lookup.feature_names()), unnest(p_features), unnest((select c.weights from lookup.coefficients(p_table, p_has_vector) as c))
    ) as n (name, value, weight);
$function$;
comment on function lookup.explain_score(text, real[], boolean) is
'Arguments: name of a table; features of a name; whether the query has a vector. Returns for each feature its value and its share of the score (value times weight).';
grant execute on function lookup.explain_score to qm_user;
