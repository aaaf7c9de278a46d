-- api.decisions_for: returns the few canonical decisions that apply to a path and a task; nothing if none applies.
-- Decisions are served in the tiers of decisions.tier: those about this path; those about other paths that fit the task
-- very well and have strong evidence; general ones that fit the task; and a few about the whole language of the file.
-- Decisions that no longer agree with the code come last.
-- The topic of a decision is what share of the words of the task it contains, weighted by their rarity, or how near its
-- meaning is, as the search engine measures it; a task is no name, so no names are compared.
-- Raises: QM403 principal_unknown, QM404 project_not_found, QM409 project_ambiguous, QM413 goal_too_long, QM422
-- argument_invalid.
-- Writes: selection.receipt.
create or replace function api.decisions_for(
    path text,
    task text default '',
    project text default null,
    top integer default 8,
    budget_tokens integer default 1500,
    query_vector ext.vector default null,
    session text default null
)
returns table (
    index integer, decision bigint, pattern text, instead text, rationale text, scope text, polarity text, confidence text, health text, tier text,
    score real, evidence jsonb, receipt bigint
)
language plpgsql
volatile parallel unsafe security definer
rows 8
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan -- the plan is the same for every task, and planning has a cost
set enable_hashjoin = off -- the few decisions that may apply are looked up one by one
set enable_mergejoin = off
as $function$
declare
    v_started constant timestamptz := clock_timestamp();
    v_project_id constant integer := projects.find(decisions_for.project, p_path => decisions_for.path);
    v_path constant text := projects.below(v_project_id, decisions_for.path);
    v_task constant text := btrim(coalesce(decisions_for.task, ''));
    v_goal constant text := selection.require_goal(coalesce(nullif(v_task, ''), nullif(btrim(translate(v_path, '/_.-', '    ')), ''), ' '));
    v_mode constant selection.mode := selection.choose_mode('balanced', v_goal);
    v_language constant text := decisions.language_of(v_path);
    v_vector constant ext.vector := coalesce(decisions_for.query_vector, search.embed_goal(v_goal));
    v_known constant real := decisions.known_share(v_goal);
    v_none constant real := (core.get_setting('decisions.cosine_none'))::real;
    v_same constant real := (core.get_setting('decisions.cosine_same'))::real;
    v_served jsonb;
begin
    perform core.require_between('top', decisions_for.top, 1, 8, 'At most 8 decisions are served at once.');
    with found as materialized (
        select
            c.ref as id,
            greatest(f.features[2] * v_known, case when v_vector is null then 0 else (f.dense - v_none) / (v_same - v_none) end)::real as topic
        from search.search(
            'decision', v_goal, v_vector, 24, 24, 0, v_mode.ef_search,
            array[v_mode.weight_lexical, v_mode.weight_dense, v_mode.weight_fuzzy]
        ) as f
        inner join search.card as c on c.id = f.card_id
    ),

    wanted as materialized (
        select w.id, max(w.topic) as topic, max(w.place) as place
        from (
            select f.id, f.topic, null::real as place from found as f
            union all
            select p.decision_id, 0, p.place from decisions.places_at(v_project_id, v_path) as p
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
        where d.project_id = v_project_id and d.status = 'canonical' and d.superseded_by is null and d.suspicion = ''
    ),

    ranked as (
        select
            p.*,
            t.number as tier,
            t.most,
            p.health <> 'fresh' as is_flagged,
            (
                0.6 * least(p.topic, 1) + 0.25 * coalesce(p.place, 0) + 0.1 * array_position('{low,medium,high}', p.confidence) / 3.0 + 0.1 * p.utility
                -- What is done often is what the next change does, too.
                + 0.3 * least(ln(1 + coalesce((p.statistics ->> 'cases')::real, 0)) / ln(401), 1)
            )::real as score,
            decisions.tokens(p.pattern, p.instead, p.scope_value, p.rationale) as tokens
        from placed as p
        cross join lateral (
            select r.number, r.most
            from decisions.tier as r
            where r.about = case when p.place > 0 then 'path' when p.place = 0 then 'everything' when p.may_apply then 'elsewhere' end
                and (p.topic >= r.least_topic or p.place >= r.enough_place or v_task = '' and p.place > 0)
                and array_position('{low,medium,high}', p.confidence) >= array_position('{low,medium,high}', r.least_confidence)
                -- One about everything that has no check is about no language.
                and (not r.only_sources or v_language is not null and (p.scope_kind = 'language' or p.check_definition is not null))
            order by r.number
            limit 1
        ) as t
    ),

    chosen as (
        select c.*
        from (
            select r.*, row_number() over (partition by r.tier order by r.is_flagged, r.score desc, r.importance desc, r.id) as place_in_tier
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
            'rank', c.number, 'name', 'decision-' || c.id, 'ref', c.id, 'score', round(least(c.score, 1)::numeric, 4),
            'scores', jsonb_build_object(
                'tier', c.tier, 'topic', round(c.topic::numeric, 3), 'place', round(c.place::numeric, 3), 'tokens', c.tokens, 'path', left(v_path, 300)
            )
        ) order by c.number
    )
    into v_served
    from counted as c
    where c.number <= decisions_for.top and (c.spent <= decisions_for.budget_tokens or c.number = 1);

    receipt := selection.record_receipt(
        'decision', v_goal, v_mode.name, decisions_for.session, coalesce(v_served, '[]'),
        (extract(epoch from clock_timestamp() - v_started) * 1000)::real, selection.mode_label(v_mode)
    );
    if v_served is null then
        raise notice 'no decision applies (receipt %)', receipt;
    end if;
    return query
    select
        s.rank,
        d.id,
        d.pattern,
        d.instead,
        left(d.rationale, 300),
        btrim(d.scope_kind || ' ' || d.scope_value),
        d.polarity,
        d.confidence,
        d.health,
        t.name,
        s.score,
        decisions.evidence_of(d.id, 3, p_only_reviewed => true),
        decisions_for.receipt
    -- Columns and no expressions: the row policy lets only those look up a row by its id.
    from jsonb_to_recordset(coalesce(v_served, '[]')) as s (rank integer, ref bigint, score real, scores jsonb)
    inner join decisions.decision as d on d.id = s.ref
    inner join decisions.tier as t on t.number = (s.scores ->> 'tier')::integer
    order by 1;
end
$function$;
comment on function api.decisions_for(text, text, text, integer, integer, ext.vector, text) is
'Returns the few canonical decisions that apply to a path and a task, best first. Arguments: path: a file or folder, '
'relative to the root of the project, or an absolute path, which also identifies the project; task: what the caller is '
'about to do; project: the project, as NAME or OWNER/NAME (null: your only project); top: maximum number of decisions '
'(1 to 8); budget_tokens: maximum number of tokens in all decisions together; query_vector: embedding of the task '
'(null: the database computes the vector, if the database has an embedding model); session: id of the client''s '
'session. The column "tier" says where the decision applies: "here" (the decision is about this path), "elsewhere" (the '
'decision is about other paths, but fits the task and has strong evidence) or "general". The column "health" is '
'"fresh", or says why the decision may be out of date. The column "evidence" contains up to three examples that the '
'agent can copy. A curator has seen each example. An example consists of its kind, path, line and commit. The column '
'"receipt" is the number that rate_decisions needs.';
alter function api.decisions_for owner to qm_reader;
grant execute on function api.decisions_for to qm_user;
