-- api.start_task: the function only reads rows. It does not scan, parse or index files. The kinds compute the parts of
-- the answer (selection.put_task_part), the most important part first. The setting task.time_ms limits the time, which
-- begins when the vector of the goal is known. A part that has not begun in this time is left out, and a row says so.
-- The first call of a session has no time limit, because PostgreSQL must first plan all statements.
-- selection.within_budget decides which rows are returned, and in which order. With a larger budget, each kind proposes
-- more candidates. Only symbols of packages that the project can import are offered (knowledge.scope_of). Texts without
-- a vector are found by words only. If texts of a part that the caller may see have no vector (search.is_embedded), a
-- row names this part. The number of these texts is not computed, because this takes longer than everything else in
-- large databases. The searches get the goal without recent_context, because a search stores its goal, and
-- recent_context must not be stored.
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
        when current_setting('qm.task_was_started', true) = 'on'
            then make_interval(secs => (core.get_setting('task.time_ms'))::numeric / 1000)
    end;
    -- The share of the context.
    v_share constant real := case
        when start_task.recent_context <> '' then api.context_share(start_task.goal)
        else 0
    end;
    v_meant constant text := start_task.goal
        || case when v_share > 0 then E'\n' || left(start_task.recent_context, 2000) else '' end;
    v_vector ext.vector := start_task.query_vector;
    v_project_id integer;
    v_project text; -- OWNER/NAME
    v_paths text[]; -- below the root of the project
    v_outside text; -- what was given, but is not below it
    v_task selection.task;
    v_part selection.task_part;
    v_rows jsonb := jsonb_build_array();
    v_more jsonb;
    v_waiting jsonb := jsonb_build_array(); -- parts that wait for vectors
    v_messages text;
begin
    perform selection.require_goal(start_task.goal);
    if (start_task.budget_tokens > 0) is not true
        or cardinality(start_task.paths) > 20
        or length(array_to_string(start_task.paths, '')) > 20000
    then
        perform core.fail(
            'argument_invalid',
            'budget_tokens must be above 0; at most 20 paths are allowed, with at most 20,000 characters in all'
        );
    end if;
    v_project_id := projects.find_meant(start_task.project, start_task.paths[1]);
    if v_project_id is not null then
        select projects.principal_name(p.owner_id) || '/' || p.name
        into v_project
        from projects.project as p
        where p.id = v_project_id;
        select
            coalesce(array_agg(b.path order by g.place) filter (where not projects.leaves(b.path)), '{}'),
            string_agg(left(g.path, 200), ', ' order by g.place) filter (where projects.leaves(b.path))
        into v_paths, v_outside
        from unnest(start_task.paths) with ordinality as g (path, place)
        cross join lateral (select projects.below(v_project_id, g.path) as path) as b;
        if v_outside is not null then
            v_rows := v_rows || jsonb_build_object(
                'part', 'left_out',
                'name', 'paths',
                'text', format('Outside of the project %s: %s', v_project, v_outside)
            );
        end if;
    else
        v_rows := v_rows || jsonb_build_object('part', 'left_out', 'name', 'project', 'text', projects.why_none());
    end if;
    v_vector := coalesce(v_vector, search.embed_in_context(start_task.goal, start_task.recent_context, v_share));

    perform set_config('qm.task_was_started', 'on', false);
    v_started := clock_timestamp();
    v_messages := core.mute_notices();
    v_task := (
        start_task.goal,
        v_meant,
        v_project_id,
        v_project,
        v_paths,
        least(4 + start_task.budget_tokens / 250, 20),
        v_share,
        v_vector,
        start_task.session
    );
    for v_part in
        select t.*
        from selection.task_part as t
        where v_project_id is not null or not t.needs_project
        order by t.place, t.name
    loop
        if clock_timestamp() - v_started > v_time then
            v_rows := v_rows || jsonb_build_object(
                'part', 'left_out',
                'name', v_part.name,
                'text', 'There was no time left. Ask again, or search for it.',
                'is_late', true
            );
            continue;
        end if;
        execute format('select %s($1)', v_part.function::regproc) into v_more using v_task;
        v_rows := v_rows || coalesce(
            (
                select jsonb_agg(jsonb_build_object('part', v_part.name) || r.row order by r.place)
                from jsonb_array_elements(v_more) with ordinality as r (row, place)
            ),
            '[]'
        );
        if v_vector is not null
            and exists (select from unnest(v_part.kinds) as k (kind) where not search.is_embedded(k.kind))
        then
            v_waiting := v_waiting || jsonb_build_object(
                'part', 'left_out',
                'name', v_part.name,
                'text', format(
                    'Some %ss have no vector yet, so they are found by words only. Ask again later.', v_part.name
                )
            );
        end if;
    end loop;
    v_rows := v_rows || v_waiting;
    perform set_config('client_min_messages', v_messages, true);
    return query select * from selection.within_budget(v_rows, v_vector is not null, start_task.budget_tokens);
end
$function$;
comment on function api.start_task(text, text[], integer, text, text, ext.vector, text) is
'Collects decisions, quality results, tools, notes and symbols that are useful at the start of a task. Example: '
'`select part, name, text from start_task(''rename a file'');` Arguments: goal: what the caller wants to do; paths: '
'files that the task is about (at most 20); budget_tokens: maximum size of the whole answer in tokens; project: the '
'project, as NAME or OWNER/NAME (null: the project that contains the first path, or else your only project); '
'recent_context: a few sentences about what was said before, if the goal refers to that; query_vector: unit vector of '
'the goal, to which recent_context contributes the share that api.context_share returns (null: the database computes '
'the vector, if the database has an embedding model); session: id of the client''s session. Returns one row for each '
'result. The column "part" is profile, decision, gate (result of a quality gate), tool, note, symbol (class or '
'function of a library) or left_out. A row with left_out reports what is missing from the answer, and why. Its name is '
'one of these: the name of a part, if the part took too long, does not apply, or was partly searched by words only '
'because vectors are missing; "project" if no project is known; "paths" if some paths are outside the project; or '
'"budget_tokens" if nothing fits the budget. The scores of tools, notes and symbols can be compared with each other. '
'The column "receipt" contains the number of the receipt (record) of the search. The column "note_of" contains the '
'project to which a note belongs, as OWNER/NAME (null: the note comes with Quartermaster); the text of the note begins '
'with this project. Raises QM404 project_not_found, QM409 project_ambiguous, QM413 goal_too_long, QM422 goal_empty, '
'argument_invalid. Can be null: name, score, tokens, receipt, note_of.';
alter function api.start_task owner to qm_reader;
grant execute on function api.start_task to qm_user;
