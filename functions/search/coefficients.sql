-- search.coefficients: returns the learned weights of a kind: the sum of the weights in the given profiles.
-- The score uses the weights of the part score for up to 200 cards, and the weights of the part large for 4,000 cards or
-- more. In between, it uses a weighted mean of both, because words say more about the right card in a larger catalog.
-- Every query calls this function, so it is written in PL/pgSQL, which caches the plan, and it reads the weights once.
-- The function runs with the rights of its owner (security definer), because a search calls this function in two roles,
-- and PostgreSQL makes a new plan whenever the role changes.
create or replace function search.coefficients(p_kind text, p_profiles text[])
returns table (
    features text[], score real[], confidence_intercept real, confidence_place real[], confidence_weights real[],
    has_confidence boolean
)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
set enable_hashjoin = on -- the caller may have disabled it
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_place constant text[] := search.place_names();
    v_places constant integer := cardinality(v_place);
    v_features text[];
    v_names text[];
    v_cards bigint;
    v_share double precision;
    v_score real[];
    v_confidence real[];
begin
    perform policy.require_principal();
    -- The features are read first, because it takes longer to group the weights together with them.
    select s.features, k.cards into v_features, v_cards
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    where k.name = p_kind;
    v_names := v_place || 'intercept'::text || v_features;
    select
        array_agg(coalesce(w.score, 0) order by f.position),
        array_agg(coalesce(w.confidence, 0) order by f.position),
        count(w.confidence) > 0
    into v_score, v_confidence, has_confidence
    from unnest(v_names) with ordinality as f (name, position)
    left join (
        select
            c.feature,
            sum(c.weight) filter (where c.part = 'score') as score,
            sum(c.weight) filter (where c.part = 'confidence') as confidence
        from search.coefficient as c
        where c.kind = p_kind and c.profile = any(p_profiles)
        group by c.feature
    ) as w on w.feature = f.name
    having count(w.feature) > 0;
    if not found then
        return;
    end if;
    if exists (select from search.coefficient as c where c.kind = p_kind and c.profile = any(p_profiles) and c.part = 'large') then
        v_share := least(ln(greatest(v_cards, 200) / 200::float8) / ln(4000 / 200::float8), 1);
        v_score := array(
            select f.score + v_share * (coalesce(w.weight, 0) - f.score)
            from unnest(v_names, v_score) with ordinality as f (name, score, position)
            left join (
                select c.feature, sum(c.weight) as weight
                from search.coefficient as c
                where c.kind = p_kind and c.profile = any(p_profiles) and c.part = 'large'
                group by c.feature
            ) as w on w.feature = f.name
            order by f.position
        );
    end if;
    features := v_features;
    score := v_score[v_places + 1:];
    confidence_intercept := v_confidence[v_places + 1];
    confidence_place := v_confidence[:v_places];
    confidence_weights := v_confidence[v_places + 2:];
    return next;
end
$function$;
comment on function search.coefficients(text, text[]) is
'Returns the learned weights of a kind: the sum of the weights in the given profiles. Arguments: p_kind: kind of card; '
'p_profiles: names of the profiles. Returns the names of the features; for the score, the intercept and then the '
'weights of the features in order, for the present number of cards; for the confidence, the intercept, the weights of '
'a card''s place in its list (search.place_names) and the weights of the features; and whether a confidence was '
'learned. Returns no row if no weights have been learned.';
grant execute on function search.coefficients to qm_reader;
