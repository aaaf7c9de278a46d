-- search.search: the one engine. The candidates of the kind's feature set are scored.
-- Learned scoring is logistic: 1 / (1 + exp(-(intercept + weights . features))); without coefficients it is fusion.
-- A channel whose weight is 0 has no say in it either (search.silence).
-- Fusion is a weighted sum of scores, each relative to the best of the union (a convex combination keeps more than ranks do: Bruch, Gai,
-- Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, 2023).
-- Of cards that say the same (equal name, vectors nearer than the setting search.duplicate_similarity) the best stands for all.
-- Candidates are gathered by EXECUTE, a statement that costs nothing to plan; what is done with them has a plan that is kept.
-- Definer because documents and vectors are read here; the functions of feature sets return visible cards only.
create or replace function search.search(
    p_kind text,
    p_query text,
    p_vector ext.vector,
    p_lexical integer,
    p_dense integer,
    p_fuzzy integer,
    p_ef_search integer,
    p_weights real[],
    p_scoring text default 'fusion',
    p_scope jsonb default '{}',
    p_profiles text[] default null
)
returns setof search.found
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_duplicate constant real := (core.get_setting('search.duplicate_similarity'))::real;
    v_model_id constant integer := (select m.id from search.model as m where m.active and p_vector is not null);
    -- Weights that nobody names were learned with the vectors of the active model, and are of no use without one.
    v_profiles constant text[] := coalesce(p_profiles, case when v_model_id is not null then array[search.active_model()] end);
    v_function text;
    v_candidates search.candidate[];
    v_intercept real;
    v_learned ext.vector;
begin
    perform policy.require_principal();
    if p_scoring = 'learned' and v_profiles is not null then
        select c.intercept, case when 0 = any(p_weights) then search.silence(p_kind, c.weights, p_weights) else c.weights end::ext.vector
        into v_intercept, v_learned
        from search.coefficients(p_kind, v_profiles) as c;
    end if;
    select s.candidates_function into v_function
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    where k.name = p_kind;
    if v_function is null then
        return;
    end if;
    execute 'select array_agg(c) from ' || v_function || '($1, $2, $3, $4, $5, $6, $7, $8) as c'
    into v_candidates
    using p_kind, p_query, search.split_vector(p_vector), p_lexical, p_dense, p_fuzzy, p_ef_search, p_scope;

    return query
    with scored as (
        select
            c.*,
            case when v_learned is not null then v_intercept - (c.features::ext.vector operator(ext.<#>) v_learned) end as odds,
            (
                p_weights[1] * coalesce(c.lexical / nullif(max(c.lexical) over (), 0), 0)
                + p_weights[2] * coalesce(c.dense / nullif(max(c.dense) over (), 0), 0)
                + p_weights[3] * case when 'fuzzy' = any(c.sources) then c.fuzzy else 0 end
            ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0) as fused
        from unnest(v_candidates) as c
    ),

    named as (
        select
            s.*,
            case when s.odds is not null then 1 / (1 + exp(-s.odds)) else s.fused end as score,
            first_value(s.card_id) over same_name as best_id,
            first_value(s.text_hash) over same_name as best_hash
        from scored as s
        window same_name as (partition by s.label order by s.odds desc nulls last, s.fused desc nulls last, s.card_id)
    )

    select
        n.card_id,
        n.score::real,
        n.lexical,
        n.dense,
        n.fuzzy,
        n.sources,
        n.features,
        n.odds
    from named as n
    where
        n.card_id = n.best_id
        or coalesce(
            (
                select 1 - (e.vector operator(ext.<=>) b.vector)
                from search.embedding as e
                inner join search.embedding as b on b.model_id = e.model_id and b.kind = e.kind and b.text_hash = n.best_hash
                where e.model_id = v_model_id and e.kind = p_kind and e.text_hash = n.text_hash
            ), 0
        ) < v_duplicate
    order by n.score desc, n.card_id;
end
$function$;
comment on function search.search(text, text, ext.vector, integer, integer, integer, integer, real[], text, jsonb, text[]) is
'Cards of a kind for a goal, best first. Arguments: kind, goal, unit vector of the goal or null (those of its sentences may follow it, see search.split_vector), candidates by lexical, dense and fuzzy search, hnsw.ef_search, fusion weights of the three, scoring (fusion, learned), what the kind''s feature set wants to know beside, profiles of the learned weights (null: the active model''s, where there is a vector). Returns the score (0 to 1), each channel''s own score, the channels that found the card, its features, and the log odds of a learned score.';
