-- search.search: the learned score is logistic: 1 / (1 + exp(-(intercept + weights . features))). If no weights have
-- been learned, the score is fusion. A channel with weight 0 counts neither in the learned score (search.silence) nor
-- in fusion.
-- Fusion is the weighted mean of the scores from the channels. Before that, the scores for words and meaning are
-- divided by the best score among all candidates. Such a mean keeps more information than ranks (Bruch, Gai, Ingber, An
-- Analysis of Fusion Functions for Hybrid Retrieval, 2023).
-- Several cards have the same meaning if their names are equal and the similarity of their vectors reaches the setting
-- search.duplicate_similarity. Then only the oldest card is returned, so that no copy takes the place of its original.
-- The oldest card lists the others as its twins. While the oldest card cannot be used, one of its twins takes its place
-- (selection.prefer_available).
-- What people have taught (search.match_teachings) is added to the log odds of a card, so that it counts beside what
-- was learned. Fusion has no odds; there, a tenth is added to the score, and all scores are divided by the same number,
-- so that they remain at most 1. A taught card comes before its twins.
-- Candidates are found with EXECUTE, in a statement that is cheap to plan; everything else has a cached plan.
-- Definer: callers have no permission to read search.lexical and search.embedding. They still get only cards that they
-- may see, because the functions that find candidates (search.feature_set) return only visible cards.
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
    v_teachings record;
    v_taught_ids bigint[];
    v_taught_odds real[];
    v_most_taught real := 0;
    v_scope jsonb := coalesce(p_scope, '{}') - 'taught';
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
    select
        array_agg(t.card_id) as card_ids,
        array_agg(t.against_id) as against_ids,
        array_agg(t.nearness) as nearness
    into v_teachings
    from search.match_teachings(
        p_kind, p_query, case when p_vector is not null then (search.split_vector(p_vector))[1] end
    ) as t;
    if v_teachings.card_ids is not null then
        v_scope := v_scope || jsonb_build_object('taught', v_teachings.card_ids);
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
        v_scope
    )::search.goal;

    if v_teachings.card_ids is not null then
        select array_agg(t.card_id), array_agg(t.odds), greatest(0, max(t.odds))
        into v_taught_ids, v_taught_odds, v_most_taught
        from search.weigh_teachings(
            v_teachings.card_ids, v_teachings.against_ids, v_teachings.nearness, v_candidates
        ) as t;
    end if;
    if v_weights is null then
        select max(c.lexical), max(c.dense) into v_best_lexical, v_best_dense from unnest(v_candidates) as c;
    end if;

    return query
    with judged as (
        select
            c.*,
            t.odds as taught,
            -- Beyond these bounds, the score would be too small to be stored.
            greatest(
                -60,
                least(
                    60,
                    v_learned[1] - (c.features::ext.vector operator(ext.<#>) v_weights)
                    + t.odds
                )
            ) as odds,
            (
                p_weights[1] * coalesce(c.lexical / nullif(v_best_lexical, 0), 0)
                + p_weights[2] * coalesce(c.dense / nullif(v_best_dense, 0), 0)
                + p_weights[3] * case when 'fuzzy' = any(c.sources) then c.fuzzy else 0 end
            ) / nullif(p_weights[1] + p_weights[2] + p_weights[3], 0) as fused
        from unnest(v_candidates) as c
        cross join lateral (
            select coalesce(v_taught_odds[array_position(v_taught_ids, c.card_id)], 0) as odds
        ) as t
    ),

    scored as (
        select
            j.*,
            case
                when v_weights is not null then 1 / (1 + exp(-j.odds))
                else (j.fused + greatest(j.taught / 10, -j.fused)) / (1 + coalesce(v_most_taught, 0) / 10)
            end as score
        from judged as j
    ),

    named as (
        select
            s.*,
            first_value(s.card_id) over same_name as first_id,
            first_value(s.text_hash) over same_name as first_hash
        from scored as s
        window same_name as (partition by s.label order by s.taught desc, s.card_id)
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
        case when f.taught < 0 then f.sources || 'taught_against'::text else f.sources end,
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
'the goal, which may be followed by the vectors of its sentences (see search.split_vector; null: no vector); '
'p_lexical, p_dense and p_fuzzy: number of candidates to find by words, by meaning and by name (the three channels); '
'p_ef_search: value for hnsw.ef_search; p_weights: weights of the three channels in the score "fusion"; p_scoring: '
'fusion or learned; p_scope: further arguments for the feature set of the kind; p_learned: intercept and weights of '
'the learned score (null: the stored weights). With a vector, the stored weights of the goal''s model are used. '
'Without a vector, or if the model has no stored weights, the weights of the profile "default" are used. Returns the '
'cards, best first. Returns for each card: its score (0 to 1), its score in each channel, the channels that found the '
'card, its features, the log odds of a learned score, and the ids of its twins: cards with the same meaning, which are '
'not returned. Beside the channels are taught and taught_against, if a teaching raises or lowers the card.';
grant execute on function search.search to qm_reader;
