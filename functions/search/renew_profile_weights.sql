-- search.renew_profile_weights: a search needs the weights in this order. They are arranged in advance, because sorting
-- would make each search slower.
-- Writes: search.profile_weights.
create or replace function search.renew_profile_weights()
returns trigger
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_place constant text[] := search.place_names();
    v_places constant integer := cardinality(v_place);
begin
    -- Otherwise the weights of another transaction might not be seen here, and the features of this one not there.
    lock table search.profile_weights in share row exclusive mode;
    with learned as (
        select
            p.kind,
            p.profile,
            (array_agg(coalesce(s.weight, 0) order by f.position))[v_places + 1:]::ext.vector as score,
            case
                when count(l.weight) > 0
                    then (array_agg(coalesce(l.weight, 0) order by f.position))[v_places + 1:]::ext.vector
            end as large,
            array_agg(coalesce(c.weight, 0) order by f.position)::ext.vector as confidence,
            count(c.weight) > 0 as has_confidence
        from (select distinct w.kind, w.profile from search.coefficient as w) as p
        inner join search.kind as k on k.name = p.kind
        inner join search.feature_set as t on t.name = k.feature_set
        cross join lateral unnest(v_place || 'intercept'::text || t.features) with ordinality as f (name, position)
        left join search.coefficient as s
            on s.kind = p.kind and s.profile = p.profile and s.part = 'score' and s.feature = f.name
        left join search.coefficient as l
            on l.kind = p.kind and l.profile = p.profile and l.part = 'large' and l.feature = f.name
        left join search.coefficient as c
            on c.kind = p.kind and c.profile = p.profile and c.part = 'confidence' and c.feature = f.name
        group by p.kind, p.profile
        having count(s.weight) + count(l.weight) + count(c.weight) > 0
    ),

    removed as (
        delete from search.profile_weights as w
        where not exists (select from learned as l where l.kind = w.kind and l.profile = w.profile)
    )

    insert into search.profile_weights as w (kind, profile, score, large, confidence, has_confidence)
    select l.kind, l.profile, l.score, l.large, l.confidence, l.has_confidence
    from learned as l
    on conflict (kind, profile) do update
    set
        score = excluded.score,
        large = excluded.large,
        confidence = excluded.confidence,
        has_confidence = excluded.has_confidence
    where (w.score, w.large, w.confidence, w.has_confidence)::text
        <> (excluded.score, excluded.large, excluded.confidence, excluded.has_confidence)::text;
    return null;
end
$function$;
comment on function search.renew_profile_weights() is
'Trigger that arranges the learned weights of each profile (named set of weights) in the order of the kind''s '
'features. It runs after each statement.';
