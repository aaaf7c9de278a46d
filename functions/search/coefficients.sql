-- search.coefficients: the score has two sets of weights: the part "score" for catalogs of up to 200 cards, and the
-- part "large" for 4,000 cards or more. In between, the function returns a weighted mean of both. In a larger catalog,
-- words say more about which card is right, and so they do in a long goal, which often needs several cards. Therefore
-- the share of "large" also rises with the length of the goal, from 28 to 40 words (search.large_share).
-- Every query calls this function, so it is written in PL/pgSQL, which caches the plan. It reads weights that are
-- already in the order of the features (search.profile_weights).
-- Definer: callers have no permission to read search.profile_weights. Besides, a search calls this function as qm_owner
-- and as qm_reader. With the caller's rights, PostgreSQL would plan its queries again whenever the role changes.
create or replace function search.coefficients(p_kind text, p_profiles text[], p_goal text default null)
returns table (
    features text[], score real[], confidence_intercept real, confidence_place real[], confidence_weights real[],
    has_confidence boolean, large_share float8
)
language plpgsql
stable parallel safe security definer
rows 1
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $function$
declare
    v_places constant integer := cardinality(search.place_names());
    v_confidence real[];
begin
    perform policy.require_principal();
    select
        s.features,
        case
            when w.large is null then w.score
            else array(
                select f.score + w.share * (f.large - f.score)
                from unnest(w.score, w.large) with ordinality as f (score, large, position)
                order by f.position
            )
        end,
        w.confidence,
        w.has_confidence,
        case when w.large is null then 0 else w.share end
    into features, score, v_confidence, has_confidence, large_share
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    cross join lateral (
        select
            search.add_vectors(p.score)::real[] as score,
            search.add_vectors(p.large)::real[] as large,
            search.add_vectors(p.confidence)::real[] as confidence,
            bool_or(p.has_confidence) as has_confidence,
            search.large_share(k.cards, p_goal) as share
        from search.profile_weights as p
        where p.kind = p_kind and p.profile = any(p_profiles)
    ) as w
    where k.name = p_kind and w.score is not null;
    if not found then
        return;
    end if;
    confidence_intercept := v_confidence[v_places + 1];
    confidence_place := v_confidence[:v_places];
    confidence_weights := v_confidence[v_places + 2:];
    return next;
end
$function$;
comment on function search.coefficients(text, text[], text) is
'Reads the learned weights for a kind of card. If several profiles (named sets of weights) are given, their weights '
'are added. Arguments: p_kind: kind of card; p_profiles: names of the profiles; p_goal: the goal (null: unknown). The '
'length of the goal and the number of cards decide how much the weights for large catalogs count. Returns: the names '
'of the features; for the learned score, the intercept and the weight of each feature; for the probability '
'(confidence), the intercept and the weights of the place in the list (search.place_names) and of the features; true '
'if weights for the probability were learned; the share of the weights for large catalogs, from 0 to 1. Returns no row '
'if no weights have been learned.';
grant execute on function search.coefficients to qm_reader;
