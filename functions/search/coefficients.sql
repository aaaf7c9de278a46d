-- search.coefficients: the learned weights of a kind: the sum of those of the given profiles.
-- Every query asks for them: plpgsql keeps the plan, and one pass over the weights puts each in its place.
create or replace function search.coefficients(p_kind text, p_profiles text[], p_part text default 'score')
returns table (intercept real, odds real[], weights real[])
language plpgsql
stable parallel safe security invoker
rows 1
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_weights real[];
begin
    select array_agg(coalesce(w.weight, 0) order by f.position)
    into v_weights
    from unnest('{intercept,odds,odds_squared,odds_high}'::text[] || search.feature_names(p_kind)) with ordinality as f (name, position)
    left join (
        select c.feature, sum(c.weight) as weight
        from search.coefficient as c
        where c.kind = p_kind and c.profile = any(p_profiles) and c.part = p_part
        group by c.feature
    ) as w on w.feature = f.name
    having count(w.feature) > 0;
    if v_weights is null then
        return;
    end if;
    intercept := v_weights[1];
    odds := v_weights[2:4];
    weights := v_weights[5:];
    return next;
end
$function$;
comment on function search.coefficients(text, text[], text) is
'Arguments: kind; profiles; part: score or confidence. Returns the intercept, the weights of the odds (odds, odds squared, odds above 3; of the confidence only), and those of the features in the order of search.feature_names(); no row where nothing has been learned.';
