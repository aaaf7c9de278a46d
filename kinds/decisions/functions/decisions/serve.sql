-- decisions.serve: the table decisions.tier defines the tiers, that is, the groups in which agents get decisions. Tiers
-- exist for decisions about this path, about other paths, and about everything. Each tier says how well a decision must
-- fit the task, and how many decisions it may add. Decisions that are not fresh come last.
-- The topic of a decision says how well it fits the task. It is the larger of two numbers: the share of the task's
-- words that the decision contains, in which rare words count more, and the similarity of the meanings. A task is not a
-- name, so names are not compared.
create or replace function decisions.serve(
    p_project_id integer,
    p_path text,
    p_task text,
    p_goal text,
    p_mode selection.mode,
    p_vector ext.vector,
    p_top integer,
    p_budget integer
)
returns jsonb
language plpgsql
stable parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every task, and planning has a cost
set enable_hashjoin = off -- the few decisions that may apply are looked up one by one
set enable_mergejoin = off
as $function$
declare
    v_language constant text := decisions.language_of(p_path);
    v_known constant real := decisions.known_share(p_goal);
    v_none constant real := (core.get_setting('decisions.cosine_none'))::real;
    v_same constant real := (core.get_setting('decisions.cosine_same'))::real;
    v_weights constant decisions.rank_weights := decisions.rank_weights();
    v_served jsonb;
begin
    with found as materialized (
        select
            c.ref as id,
            greatest(
                f.features[2] * v_known,
                case when p_vector is null then 0 else (f.dense - v_none) / (v_same - v_none) end
            )::real as topic
        from search.search(
            'decision',
            p_goal,
            p_vector,
            24,
            24,
            0,
            p_mode.ef_search,
            array[p_mode.weight_lexical, p_mode.weight_dense, p_mode.weight_fuzzy]
        ) as f
        inner join search.card as c on c.id = f.card_id
    ),

    wanted as materialized (
        select w.id, max(w.topic) as topic, max(w.place) as place
        from (
            select f.id, f.topic, null::real as place
            from found as f
            union all
            select p.decision_id, 0, p.place
            from decisions.places_at(p_project_id, p_path) as p
        ) as w
        group by w.id
    ),

    placed as (
        select
            d.*,
            w.topic,
            w.place,
            coalesce(u.success_gain, 0) as utility,
            -- A decision whose check reads one language says nothing about a file in another.
            d.check_definition is null or coalesce(v_language, 'python') = 'python' as may_apply
        from wanted as w
        inner join decisions.decision as d on d.id = w.id
        left join selection.utility as u on u.kind = 'decision' and u.ref = d.id
        where d.project_id = p_project_id and d.status = 'canonical' and d.superseded_by is null and d.suspicion = ''
    ),

    ranked as (
        select
            p.*,
            t.number as tier,
            t.most,
            p.health <> 'fresh' as is_flagged,
            decisions.rank_score(
                v_weights, p.topic, p.place, p.confidence, p.utility, (p.statistics ->> 'cases')::real
            ) as score,
            decisions.tokens(p.pattern, p.instead, p.scope_value, p.rationale) as tokens
        from placed as p
        cross join lateral (
            select r.number, r.most
            from decisions.tier as r
            where
                r.about = case
                    when p.place > 0 then 'path' when p.place = 0 then 'everything' when p.may_apply then 'elsewhere'
                end
                and (p.topic >= r.least_topic or p.place >= r.enough_place or p_task = '' and p.place > 0)
                and array_position('{low,medium,high}', p.confidence)
                >= array_position('{low,medium,high}', r.least_confidence)
                -- One about everything that has no check is about no language.
                and (
                    not r.only_sources
                    or v_language is not null and (p.scope_kind = 'language' or p.check_definition is not null)
                )
            order by r.number
            limit 1
        ) as t
    ),

    chosen as (
        select c.*
        from (
            select
                r.*,
                row_number() over (
                    partition by r.tier order by r.is_flagged, r.score desc, r.importance desc, r.id
                ) as place_in_tier
            from ranked as r
        ) as c
        where c.place_in_tier <= c.most
    ),

    counted as (
        select r.*, row_number() over by_rank as number, sum(r.tokens) over by_rank as spent
        from chosen as r
        window by_rank as (order by r.is_flagged, r.tier, r.score desc, r.importance desc, r.id)
    )

    select jsonb_agg(
        jsonb_build_object(
            'rank', c.number,
            'name', 'decision-' || c.id,
            'ref', c.id,
            'score', round(least(c.score, 1)::numeric, 4),
            'scores', jsonb_build_object(
                'tier', c.tier,
                'topic', round(c.topic::numeric, 3),
                'place', round(c.place::numeric, 3),
                'tokens', c.tokens,
                'path', left(p_path, 300)
            )
        ) order by c.number
    )
    into v_served
    from counted as c
    where c.number <= p_top and (c.spent <= p_budget or c.number = 1);
    return v_served;
end
$function$;
comment on function decisions.serve(integer, text, text, text, selection.mode, ext.vector, integer, integer) is
'Chooses the decisions that apply to a path and a task. Arguments: p_project_id: id of the project; p_path: the path, '
'relative to the root of the project; p_task: what the caller is about to do; p_goal: the text to search for; p_mode: '
'the search mode; p_vector: the vector of the goal (null: no vector); p_top: maximum number of decisions; p_budget: '
'maximum number of tokens in all decisions together. Returns the decisions as cards for a receipt, best first (null: '
'no decision applies).';
grant execute on function decisions.serve to qm_reader;
