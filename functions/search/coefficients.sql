-- search.coefficients: returns the learned weights of a kind: the sum of those of the given profiles.
-- Every query calls it, so it is in plpgsql, which caches the plan, and reads the weights once.
create or replace function search.coefficients(p_kind text, p_profiles text[])
returns table (
    features text[], score real[], confidence_intercept real, confidence_odds real[], confidence_weights real[]
)
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on -- who asks has perhaps switched it off
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_features text[];
    v_score real[];
    v_confidence real[];
begin
    select
        s.features,
        array_agg(coalesce(w.score, 0) order by f.position),
        array_agg(coalesce(w.confidence, 0) order by f.position)
    into v_features, v_score, v_confidence
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    cross join unnest('{odds,odds_squared,odds_high,intercept}'::text[] || s.features) with ordinality as f (name, position)
    left join (
        select c.feature, sum(c.weight) filter (where c.part = 'score') as score, sum(c.weight) filter (where c.part = 'confidence') as confidence
        from search.coefficient as c
        where c.kind = p_kind and c.profile = any(p_profiles)
        group by c.feature
    ) as w on w.feature = f.name
    where k.name = p_kind
    group by s.name
    having count(w.feature) > 0;
    if not found then
        return;
    end if;
    features := v_features;
    score := v_score[4:];
    confidence_intercept := v_confidence[4];
    confidence_odds := v_confidence[1:3];
    confidence_weights := v_confidence[5:];
    return next;
end
$function$;
comment on function search.coefficients(text, text[]) is
'Arguments: kind; profiles. Returns the names of the features; for the score its intercept, then the weights of the '
'features in their order; for the confidence its intercept, its weights of the odds (odds, odds squared, odds above '
'3) and those of the features. Returns no row if nothing has been learned.';
grant execute on function search.coefficients to qm_user;
