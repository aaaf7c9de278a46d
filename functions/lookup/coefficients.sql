-- lookup.coefficients: the learned weights of a table, of the profile that lookup.profile_of says. What a query with a vector is scored by
-- is that and what the profile vectors:TABLE adds: without one the answer is what it was.
create or replace function lookup.coefficients(p_table text, p_has_vector boolean default false)
returns table (intercept real, weights real[], confidence_intercept real, confidence_odds real[], confidence_weights real[])
language sql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
as $function$
    with learned as materialized (
        select c.part, c.feature, sum(c.weight) as weight
        from lookup.coefficient as c
        where c.profile = (select lookup.profile_of(p_table)) or (p_has_vector and c.profile = 'vectors:' || p_table)
        group by c.part, c.feature
    ),

    feature as materialized (
        select
            array_agg(coalesce(s.weight, 0) order by f.position)::real[] as score,
            array_agg(coalesce(c.weight, 0) order by f.position)::real[] as confidence
        from unnest(lookup.feature_names()) with ordinality as f (name, position)
        left join learned as s on s.part = 'score' and s.feature = f.name
        left join learned as c on c.part = 'confidence' and c.feature = f.name
    )

    select
        coalesce((select l.weight from learned as l where l.part = 'score' and l.feature = 'intercept'), 0)::real,
        f.score,
        coalesce((select l.weight from learned as l where l.part = 'confidence' and l.feature = 'intercept'), 0)::real,
        array(
            select coalesce(l.weight, 0)
            from unnest('{odds,odds_squared,odds_high}'::text[]) with ordinality as o (name, position)
            left join learned as l on l.part = 'confidence' and l.feature = o.name
            order by o.position
        )::real[],
        f.confidence
    from feature as f;
$function$;
comment on function lookup.coefficients(text, boolean) is
'Arguments: name of a table; whether the query has a vector. Returns intercept and weights of the score; intercept of the confidence, its weights of the odds (odds, odds squared, odds above 3) and of the features, both in the order of lookup.feature_names().';
