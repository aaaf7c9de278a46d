-- api.start_task: what somebody who begins a task needs first, in one answer: the project in three lines, the decisions
-- that apply to its paths, the last gate of these files, and the tools, notes and symbols that fit.
-- It reads rows only; it scans, parses and indexes nothing. The parts are asked in the order of their importance. A part
-- that has not begun when the time of the setting task.time_ms is over is left out, and a row says so. The time begins
-- when the vector of the goal is there. The first call of a session has no limit, because it makes the plans.
-- The score of a passage is the probability that it helps (knowledge.fit_passages). Those of tools (learned probability) and
-- symbols (learned score) become the probability that the row is what the task needs, by curves of the setting task.scores,
-- which tests.eval.starting learns. Rows are then taken by score until the budget is full; what is hardly ever needed is left
-- out: each part has a floor of this probability (settings task.floor for tools, task.note_floor and task.symbol_floor). The
-- profile, decisions and gates come first. A larger budget gets more candidates of each kind.
-- Only symbols of packages that the project can import are offered (knowledge.scope_of).
-- Raises: QM404 project_not_found, QM409 project_ambiguous, QM413 goal_too_long, QM422 goal_empty, argument_invalid.
-- Writes: selection.receipt and what api.search_cards and api.decisions_for write.
create or replace function api.start_task(
    goal text,
    paths text[] default '{}',
    budget_tokens integer default 2000,
    project text default null,
    recent_context text default null,
    query_vector ext.vector default null,
    session text default null
)
returns table (part text, name text, text text, score real, tokens integer, receipt bigint, note_of text)
language plpgsql
volatile parallel unsafe security definer
rows 30
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_started timestamptz;
    v_time constant interval := case
        when current_setting('qm.task_was_started', true) = 'on' then make_interval(secs => (core.get_setting('task.time_ms'))::numeric / 1000)
    end;
    v_curves constant jsonb := core.get_setting('task.scores'); -- by part: intercept and slope over the log odds
    v_floors jsonb; -- the lowest score by part
    v_cards constant integer := least(4 + start_task.budget_tokens / 250, 20); -- of a kind
    v_vector ext.vector := start_task.query_vector;
    v_share constant real := case when start_task.recent_context <> '' then api.context_share(start_task.goal) else 0 end; -- of the context
    -- What the goal says. Context is never kept, so a search, which keeps its goal, does not get it.
    v_meant constant text := start_task.goal || case when v_share > 0 then E'\n' || left(start_task.recent_context, 2000) else '' end;
    v_project_id integer;
    v_project text; -- OWNER/NAME
    v_paths text[]; -- below the root of the project
    v_outside text; -- what was given, but is not below it
    v_parts text[] := array['tool', 'note', 'symbol'];
    v_rows jsonb := '[]'::jsonb;
    v_more jsonb;
    v_part text;
    v_messages text;
begin
    perform selection.require_goal(start_task.goal);
    if start_task.budget_tokens < 1 or cardinality(start_task.paths) > 20 or length(array_to_string(start_task.paths, '')) > 20000 then
        perform core.fail(
            'argument_invalid', 'budget_tokens must be above 0; at most 20 paths are allowed, with at most 20,000 characters in all'
        );
    end if;
    v_project_id := projects.find_meant(start_task.project, start_task.paths[1]);
    if v_project_id is not null then
        select projects.principal_name(p.owner_id) || '/' || p.name into v_project from projects.project as p where p.id = v_project_id;
        select
            coalesce(array_agg(b.path order by g.place) filter (where not projects.leaves(b.path)), '{}'),
            string_agg(left(g.path, 200), ', ' order by g.place) filter (where projects.leaves(b.path))
        into v_paths, v_outside
        from unnest(start_task.paths) with ordinality as g (path, place)
        cross join lateral (select projects.below(v_project_id, g.path) as path) as b;
        v_parts := array['profile', 'decision', 'gate'] || v_parts;
        if v_outside is not null then
            v_rows := jsonb_build_array(
                jsonb_build_object('part', 'left_out', 'name', 'paths', 'text', format('Outside of the project %s: %s', v_project, v_outside))
            );
        end if;
    else
        v_rows := jsonb_build_array(jsonb_build_object('part', 'left_out', 'name', 'project', 'text', projects.why_none()));
    end if;
    if v_vector is null then
        v_vector := search.embed_goal(start_task.goal);
        if v_share > 0 and v_vector is not null then
            -- The vectors of sentences, which follow that of the whole, are left out.
            v_vector := (
                select ext.l2_normalize(
                    search.scaled(ext.subvector(v_vector, 1, m.dimension), (1 - v_share)::real)
                    operator(ext.+) search.scaled(ext.subvector(c.vector, 1, m.dimension), v_share)
                )
                from search.goal_model() as m
                cross join (select search.embed_goal(left(start_task.recent_context, 8000)) as vector) as c
            );
        end if;
    end if;

    -- The curves were learned with vectors. Without one, scores only tell which row is better.
    v_floors := case
        when v_vector is null then '{}'
        else jsonb_build_object(
            'tool', core.get_setting('task.floor'), 'note', core.get_setting('task.note_floor'), 'symbol', core.get_setting('task.symbol_floor')
        )
    end;
    perform set_config('qm.task_was_started', 'on', false);
    v_started := clock_timestamp();
    v_messages := core.mute_notices();
    foreach v_part in array v_parts loop
        v_more := null;
        if clock_timestamp() - v_started > v_time then
            v_more := jsonb_build_array(jsonb_build_object('part', 'left_out', 'name', v_part, 'text', 'There was no time left. Ask again, or search for it.'));
        elsif v_part = 'profile' then
            v_more := jsonb_build_array(jsonb_build_object('part', v_part, 'name', 'project', 'text', knowledge.profile(v_project_id), 'score', 1));
        elsif v_part = 'decision' then
            select jsonb_agg(
                jsonb_build_object(
                    'part', v_part, 'name', 'decision ' || d.decision, 'text',
                    concat_ws(' ', d.pattern, 'Instead of: ' || nullif(d.instead, '') || '.', d.rationale, '(' || d.health || ')'),
                    'score', d.score, 'receipt', d.receipt
                ) order by d.score desc
            )
            into v_more
            from (
                select distinct on (x.decision) x.*
                from unnest(case when v_paths = '{}' then array[''] else v_paths[:5] end) as p (path)
                cross join lateral api.decisions_for(
                    p.path, start_task.goal, v_project, 4, 800, v_vector, start_task.session
                ) as x
                order by x.decision, x.score desc
            ) as d;
        elsif v_part = 'gate' then
            select jsonb_agg(
                jsonb_build_object(
                    'part', v_part, 'name', g.path, 'score', 1, 'text',
                    format(
                        '%s by the gate %s on %s%s%s',
                        case when not g.passed then 'Failed' when g.passed is null then 'Not checked' else 'Passed' end,
                        g.preset, g.judged_at::date, case when g.is_old then ', of an earlier version of the file' end,
                        case when not g.passed then ': ' || left((select string_agg(f, ' · ') from jsonb_array_elements_text(g.failures) as f), 300) end
                    )
                ) order by g.path
            )
            into v_more
            from (
                select distinct on (v.path) v.path, r.passed, r.score, r.preset, r.judged_at, r.failures, n.is_old
                from quality.file_version as v
                inner join quality.gate_result as r on r.file_version_id = v.id
                cross join lateral (
                    select exists (
                        select from quality.file_version as x
                        where x.project_id = v.project_id and x.path = v.path and (x.seen_at, x.id) > (v.seen_at, v.id)
                    ) as is_old
                ) as n
                where v.project_id = v_project_id and v.path = any(v_paths)
                order by v.path, n.is_old, r.judged_at desc, r.id desc
            ) as g;
        elsif v_part = 'tool' then
            select jsonb_agg(
                jsonb_build_object('part', v_part, 'name', s.name, 'text', s.brief, 'score', s.score, 'receipt', s.receipt) order by s.rank
            )
            into v_more
            from api.search_cards(start_task.goal, array['tool'], 'fast', v_cards, v_vector, start_task.session) as s
            where not s.weak;
        elsif v_part = 'note' then
            -- Silent if the expert would be (api.ask_expert), and then only what helps with a task. The decisions are there
            -- already, and the domain does not matter. If only the context says what is meant, the words of the goal find
            -- nothing of use, so more is found; the best are those that help with what is meant, whatever their score is.
            with found as materialized (
                select s.ref, s.rank, s.score, (s.scores ->> 'dense')::real as dense, s.receipt
                from api.search_cards(
                    start_task.goal, array['passage'], 'fast', case when v_share > 0 then 40 else 12 end, v_vector, start_task.session
                ) as s
                order by s.score desc, s.rank
                limit case when v_share > 0 then 40 else v_cards / 4 + 1 end
            ),

            fitted as (
                select p.passage_id, p.probability
                from (
                    select array_agg(f.ref) as ids, array_agg(f.dense) as dense, array_agg(f.fit) as scores
                    from (
                        select x.*, case when v_share > 0 and x.dense > 0 then x.dense / max(x.dense) over () else x.score end as fit
                        from found as x
                    ) as f
                ) as g
                cross join lateral knowledge.fit_passages(v_meant, g.ids, g.dense, g.scores) as p
            ),

            placed as materialized (
                select
                    f.*, h.probability,
                    row_number() over (order by case when v_share > 0 then h.probability end desc, f.score desc, f.rank) as place
                from found as f
                inner join fitted as h on h.passage_id = f.ref
            ),

            judged as materialized ( -- judged once, not for each use
                select (knowledge.judge_passages(v_meant, array_agg(f.ref), max(f.dense), v_vector) ->> 'confidence')::real as confidence
                from placed as f
                where f.place <= 3
            )

            select jsonb_agg(
                jsonb_build_object(
                    'part', v_part, 'name', n.name, 'text', format('%s. %s%s %s [%s]', n.title, p.heading, case when p.heading !~ '[.:?!]$' then ':' end, p.text, n.source),
                    'score', f.probability, 'receipt', f.receipt, 'note_of', o.name
                ) order by f.place
            )
            into v_more
            from placed as f
            inner join judged as j on j.confidence >= (core.get_setting('knowledge.floor'))::real
            inner join knowledge.passage as p on p.id = f.ref
            inner join knowledge.note as n on n.id = p.note_id
            left join projects.project as o on o.id = n.project_id
            where f.place <= v_cards / 4 + 1;
        elsif exists (select from search.kind as k where k.name = v_part) then
            select jsonb_agg(
                jsonb_build_object(
                    'part', v_part, 'name', s.name, 'text', s.brief, 'score', s.score, 'receipt', s.receipt
                ) order by s.rank
            )
            into v_more
            from api.search_cards(
                start_task.goal, array[v_part], 'fast', v_cards, v_vector, start_task.session, scope => knowledge.scope_of(v_project_id)
            ) as s;
        end if;
        v_rows := v_rows || coalesce(v_more, '[]');
    end loop;
    perform set_config('client_min_messages', v_messages, true);

    return query
    with given as (
        select
            r.row ->> 'part' as part, r.row ->> 'name' as name, r.row ->> 'text' as text,
            coalesce(1 / (1 + exp(-((c.curve ->> 0)::real + (c.curve ->> 1)::real * ln(c.score / (1 - c.score))))), (r.row ->> 'score')::real)::real as score,
            ceil(length(concat(r.row ->> 'name', r.row ->> 'text')) / 4.0)::integer + 8 as tokens, (r.row ->> 'receipt')::bigint as receipt,
            r.row ->> 'note_of' as note_of,
            case when r.row ->> 'part' in ('tool', 'note', 'symbol') then 2 else 1 end as tier, r.place
        from jsonb_array_elements(v_rows) with ordinality as r (row, place)
        cross join lateral (
            select v_curves -> (r.row ->> 'part') as curve, least(greatest((r.row ->> 'score')::double precision, 0.0001), 0.9999) as score
        ) as c
    ),

    summed as (
        select g.*, sum(g.tokens) over (order by g.tier, case when g.tier = 2 then -g.score end, g.place) as used
        from given as g
        where (g.score < (v_floors ->> g.part)::real) is not true
    ),

    least as ( -- a budget, if the given one is too small for any row
        select min(s.used) as tokens from summed as s where s.part <> 'left_out' having min(s.used) > start_task.budget_tokens
    ),

    told as (
        select s.*
        from summed as s
        where s.used <= start_task.budget_tokens
            -- What was late would not have fitted, either.
            or s.part = 'left_out' and not (s.name = any(v_parts) and exists (select from least))
        union all
        select 'left_out', 'budget_tokens', m.text, null, ceil(length(m.text) / 4.0)::integer + 8, null, null, 1, 0, null
        from least as l
        cross join lateral format('A budget of %s tokens is too small. The smallest useful budget is %s.', start_task.budget_tokens, l.tokens) as m (text)
    )

    select t.part, t.name, t.text, t.score, t.tokens, t.receipt, t.note_of
    from told as t
    order by t.tier, case when t.tier = 2 then -t.score end, t.place;
end
$function$;
comment on function api.start_task(text, text[], integer, text, text, ext.vector, text) is
'Collects decisions, quality results, tools, notes and symbols that are useful at the start of a task. Arguments: goal: '
'what the caller wants to do; paths: files that the task is about (at most 20); budget_tokens: maximum size of the '
'whole answer in tokens; project: the project, as NAME or OWNER/NAME (null: the project that contains the first path, '
'or else your only project); recent_context: a few sentences about what was said before, if the goal refers to that; '
'query_vector: unit vector of the goal, to which recent_context contributes the share that api.context_share returns '
'(null: the database computes the vector, if the database has an embedding model); session: id of the client''s '
'session. Returns one row for each result. The column "part" is profile, decision, gate, tool, note, symbol or '
'left_out. A row with left_out reports what is missing from the answer, and why. Such a row names a part that took too '
'long or does not apply, "project" if no project is known, "paths" if some paths are outside the project, or '
'"budget_tokens" if nothing fits the budget. The scores of tools, notes and symbols can be compared with each other. '
'The column "receipt" contains the receipt of the search. The column "note_of" contains the project of a note (null: '
'the note comes with Quartermaster).';
alter function api.start_task owner to qm_reader;
grant execute on function api.start_task to qm_user;
