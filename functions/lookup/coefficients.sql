-- lookup.coefficients: the learned weights of a table, of the profile that lookup.profile_of says. What a query with a vector is scored by
-- is that and what the profile vectors:TABLE adds: without one the answer is what it was.
-- Every query asks for them: plpgsql keeps the plan, and one pass over the weights puts each in its place.
create or replace function lookup.coefficients(p_table text, p_has_vector boolean default false)
returns table (intercept real, weights real[], confidence_intercept real, confidence_odds real[], confidence_weights real[])
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_profile constant text := lookup.profile_of(p_table);
    v_added constant text := case when p_has_vector then 'vectors:' || p_table end;
    v_score real[];
    v_confidence real[];
begin
    select array_agg(coalesce(w.score, 0) order by f.position), array_agg(coalesce(w.confidence, 0) order by f.position)
    into v_score, v_confidence
    from unnest('{intercept,odds,odds_squared,odds_high}'::text[] || lookup.feature_names()) with ordinality as f (name, position)
    left join (
        select c.feature, sum(c.weight) filter (where c.part = 'score') as score, sum(c.weight) filter (where c.part = 'confidence') as confidence
        from lookup.coefficient as c
        where c.profile in (v_profile, v_added)
        group by c.feature
    ) as w on w.feature = f.name;
    intercept := v_score[1];
    weights := v_score[5:];
    confidence_intercept := v_confidence[1];
    confidence_odds := v_confidence[2:4];
    confidence_weights := v_confidence[5:];
    return next;
end
$function$;
comment on function lookup.coefficients(text, boolean) is
'Arguments: name of a table; whether the query has a vector. Returns intercept and weights of the score; intercept of the confidence, its weights of the odds (odds, odds squared, odds above 3) and of the features, both in the order of lookup.feature_names().';
grant execute on function lookup.coefficients to qm_user;
