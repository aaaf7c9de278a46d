-- api.decisions_for: decisions.serve chooses and ranks the decisions.
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
    index integer, decision bigint, pattern text, instead text, rationale text, scope text, polarity text,
    confidence text, health text, tier text, score real, evidence jsonb, receipt bigint
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
    v_goal constant text := selection.require_goal(
        coalesce(nullif(v_task, ''), nullif(btrim(translate(v_path, '/_.-', '    ')), ''), ' ')
    );
    v_mode constant selection.mode := selection.choose_mode('balanced', v_goal);
    v_vector constant ext.vector := coalesce(decisions_for.query_vector, search.embed_goal(v_goal));
    v_served jsonb;
begin
    perform core.require_between('top', decisions_for.top, 1, 8, 'At most 8 decisions are served at once.');
    v_served := decisions.serve(
        v_project_id, v_path, v_task, v_goal, v_mode, v_vector, decisions_for.top, decisions_for.budget_tokens
    );
    receipt := selection.record_receipt(
        'decision',
        v_goal,
        v_mode.name,
        decisions_for.session,
        coalesce(v_served, '[]'),
        (extract(epoch from clock_timestamp() - v_started) * 1000)::real,
        selection.mode_label(v_mode)
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
'session. The column "tier" says where the decision applies: "here" (the decision is about this path), "elsewhere" '
'(the decision is about other paths, but fits the task and has strong evidence) or "general". The column "health" is '
'"fresh", or says why the decision may be out of date. The column "evidence" contains up to three examples that the '
'agent can copy, each with its kind, path, line and commit. A curator has seen each of them. The column "receipt" is '
'the number that rate_decisions needs. Raises QM403 principal_unknown, QM404 project_not_found, QM409 '
'project_ambiguous, QM413 goal_too_long, QM422 argument_invalid.';
alter function api.decisions_for owner to qm_reader;
grant execute on function api.decisions_for to qm_user;
