-- search.search: learned scoring is logistic: 1 / (1 + exp(-(intercept + weights . features))). Without coefficients,
-- scoring uses fusion. A channel with weight 0 does not count in the learned score either (search.silence).
-- Fusion is a weighted sum of the scores from the channels, each divided by the best score among all candidates (such a
-- sum keeps more information than ranks: Bruch, Gai, Ingber, An Analysis of Fusion Functions for Hybrid Retrieval,
-- 2023).
-- If several cards have the same meaning (equal names, and vectors more similar than the setting
-- search.duplicate_similarity), the oldest card represents all of them, so that no copy takes the place of its
-- original. It names the others as its twins, one of which takes its place while it cannot be used
-- (selection.prefer_available).
-- Candidates are found with EXECUTE, in a statement that is cheap to plan; everything else has a cached plan.
-- Definer: it reads documents and vectors; the functions of feature sets return visible cards only.
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
    p_learned real[] default null
)
returns setof search.found
language plpgsql
volatile parallel unsafe security definer
rows 50
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every query, and planning has a cost
as $function$
declare
    v_model search.model;
    v_function regproc;
    v_candidates search.candidate[];
    v_learned real[] := p_learned;
    v_weights ext.vector;
    v_best_lexical real;
    v_best_dense real;
begin
    perform policy.require_principal();
    select s.candidates_function::regproc
    into v_function
    from search.kind as k
    inner join search.feature_set as s on s.name = k.feature_set
    where k.name = p_kind;
    if v_function is null then
        return;
    end if;
    if p_vector is not null then
        v_model := search.goal_model();
    end if;
    if p_scoring = 'learned' then
        -- Weights that were learned with the vectors of a model cannot be used for a goal without a vector. Those under
        -- no model hold for every goal.
        if v_learned is null and v_model.id is not null then
            v_learned := (select c.score from search.coefficients(p_kind, array[v_model.name], p_query) as c);
        end if;
        if v_learned is null then
            v_learned := (select c.score from search.coefficients(p_kind, '{default}') as c);
        end if;
        v_weights := case
            when v_learned is null then null
            when 0 = any(p_weights) then search.silence(p_kind, v_learned[2:], p_weights)
            else v_learned[2:]
        end;
    end if;
    execute format('select array(select %s($1))', v_function)
    into v_candidates
    using row(
        p_kind,
        p_query,
        case when p_vector is not null then search.split_vector(p_vector) end,
        p_lexical,
        p_dense,
        p_fuzzy,
        p_ef_search,
        p_scope
    )::search.goal;

    if v_weights is null then
        select max(c.lexical), max(c.dense) into v_best_lexical, v_best_dense from unnest(v_candidates) as c;
    end if;

    return query
    with judged as (
        select
            c.*,
            -- Beyond these bounds, the score would be too small to be stored.
            greatest(-60, least(60, v_learned[1] - (c.features::ext.vector operator(ext.<#>) v_weights))) as odds
        from unnest(v_candidates) as c
    ),

    scored as (
        select
            j.*,
            case
                when v_weights is not null then 1 / (1 + exp(-j.odds))
                else
                    (
                        p_weights[1] * coalesce(j.lexical / nullif(v_best_lexical, 0), 0)
                        + p_weights[2] * coalesce(j.dense / nullif(v_best_dense, 0), 0)
                        + p_weights[3] * case when 'fuzzy' = any(j.sources) then j.fuzzy else 0 end
                    ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0)
            end as score
        from judged as j
    ),

    named as (
        select
            s.*,
            first_value(s.card_id) over same_name as first_id,
            first_value(s.text_hash) over same_name as first_hash
        from scored as s
        window same_name as (partition by s.label order by s.card_id)
    ),

    compared as (
        select
            n.*,
            n.text_hash is not null
            and n.card_id <> n.first_id
            and coalesce(
                (
                    select 1 - (e.vector operator(ext.<=>) b.vector)
                    from search.embedding as e
                    inner join search.embedding as b
                        on b.model_id = e.model_id and b.kind = e.kind and b.text_hash = n.first_hash
                    where e.model_id = v_model.id and e.kind = p_kind and e.text_hash = n.text_hash
                ),
                0
            )
                -- Read only if two cards are alike.
                >= (select (core.get_setting('search.duplicate_similarity'))::real) as is_twin
        from named as n
    ),

    folded as (
        select c.*, array_agg(c.card_id) filter (where c.is_twin) over (partition by c.label) as twins
        from compared as c
    )

    select
        f.card_id,
        f.score::real,
        f.lexical,
        f.dense,
        f.fuzzy,
        f.sources,
        f.features,
        f.odds,
        case when f.card_id = f.first_id then f.twins end
    from folded as f
    where not f.is_twin
    order by f.score desc, f.card_id;
end
$function$;
comment on function search.search is
'Searches the cards of a kind for a goal. Arguments: p_kind: kind of card; p_query: the goal; p_vector: unit vector of '
'the goal, which vectors of the sentences may follow (see search.split_vector; null: no vector); p_lexical, p_dense '
'and p_fuzzy: number of candidates to find by words, by meaning and by name (the three channels); p_ef_search: value '
'for hnsw.ef_search; p_weights: weights of the three channels in the score "fusion"; p_scoring: fusion or learned; '
'p_scope: further arguments for the feature set of the kind; p_learned: intercept and weights of the learned score '
'(null: the stored weights). With a vector, the stored weights of the goal''s model are used. Without a vector, or if '
'the model has no stored weights, the weights of the profile "default" are used. Returns the cards, best first. '
'Returns for each card: its score (0 to 1), its score in each channel, the channels that found the card, its features, '
'the log odds of a learned score, and the ids of the cards with the same meaning that are left out.';
grant execute on function search.search to qm_reader;
