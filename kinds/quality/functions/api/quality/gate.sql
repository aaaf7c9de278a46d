-- api.gate: a file that no checker has read never passes.
-- Writes: quality.gate_result, quality.session, quality.step.
create or replace function api.gate(
    path text,
    preset text default 'standard',
    project text default null,
    new_code boolean default false,
    session text default null
)
returns table (
    passed boolean,
    score numeric,
    threshold numeric,
    failures text[],
    warnings text[],
    recommendation text,
    blob_hash text,
    degraded boolean,
    findings jsonb,
    finding_count integer,
    only_secrets boolean,
    suppressions jsonb
)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_project_id constant integer := projects.find(gate.project, p_path => gate.path);
    v_path constant text := projects.below(v_project_id, gate.path);
    v_file_version_id constant bigint := quality.file_version(v_project_id, v_path);
    v_session_id bigint;
    v_baseline_id bigint;
    v_missing text[];
    v_is_unread boolean;
    v_is_read_by_person boolean;
    v_is_quiet_judged boolean;
    v_quiet text;
begin
    if gate.new_code then
        select b.file_version_id
        into v_baseline_id
        from quality.baseline as b
        where b.project_id = v_project_id and b.path = v_path;
    end if;
    select v.blob_hash into blob_hash from quality.file_version as v where v.id = v_file_version_id;
    select
        max(j.value) filter (where j.metric = 'overall' and j.verdict <> 'unread'),
        max(j.minimum) filter (where j.metric = 'overall'),
        coalesce(array_agg(s.sentence order by j.metric collate core.c_utf8) filter (where j.verdict = 'fail'), '{}'),
        coalesce(
            array_agg(
                case
                    when j.verdict = 'pass'
                        then format('%s: %s, close to the minimum of %s', j.metric, round(j.value, 1), j.minimum)
                    else s.sentence
                end
                order by j.metric collate core.c_utf8
            ) filter (
                where j.verdict in ('warn', 'waived', 'unread') or (j.verdict = 'pass' and j.value < j.minimum * 1.05)
            ),
            '{}'
        ),
        coalesce(bool_or(j.verdict = 'unread'), false),
        coalesce(bool_or(j.verdict = 'waived' and j.metric = 'unread_language'), false),
        coalesce(bool_or(j.verdict <> 'pass' and j.metric = 'suppressions'), false)
    into score, threshold, failures, warnings, v_is_unread, v_is_read_by_person, v_is_quiet_judged
    from quality.judge(v_file_version_id, gate.preset, v_baseline_id, gate.new_code) as j
    cross join lateral quality.condition_sentence(j.metric, j.situation, j.facts) as s (sentence);
    -- What was told already is not repeated.
    select
        count(*) > 0,
        coalesce(
            array_agg(
                format('%s has not read the whole file: %s', m.tool, m.reason) order by m.tool collate core.c_utf8
            )
            filter (where strpos(array_to_string(failures || warnings, ' '), m.reason) = 0),
            '{}'
        )
    into degraded, v_missing
    from (select distinct c.tool, c.reason from quality.checkers(v_file_version_id) as c where c.status <> 'ok') as m;
    warnings := warnings || v_missing;
    select
        coalesce(jsonb_agg(to_jsonb(w) - 'quiets' order by w.line, w.word collate core.c_utf8), '[]'),
        string_agg(w.message, '; ' order by w.line, w.word collate core.c_utf8) filter (where w.quiets)
    into suppressions, v_quiet
    from quality.suppressions(v_file_version_id, v_baseline_id) as w;
    if v_quiet is not null and not v_is_quiet_judged then
        warnings := warnings || format('suppressions: checkers are told to be silent (%s).', v_quiet);
    end if;
    only_secrets := not exists (
        select from quality.checkers(v_file_version_id) as c
        where c.category = 'security' and c.tool <> 'secrets' and c.can_read
    );
    passed := case
        when failures <> '{}' then false
        when v_is_unread then nullif(v_is_read_by_person, false)
        else score is not null
    end;
    recommendation := coalesce(
        (
            select string_agg(
                format('%s%s: %s', 'line ' || l.line || ', ', l.rule, coalesce(nullif(l.remedy, ''), l.why)),
                ' '
                order by l.points desc
            )
            from (
                select x.*
                from quality.losses(v_file_version_id, v_baseline_id) as x
                order by x.category = 'security' desc, x.points desc
                limit 3
            ) as l
        ),
        ''
    );

    select
        coalesce(
            jsonb_agg(
                jsonb_build_object(
                    'tool', c.tool,
                    'rule', c.rule,
                    'severity', c.severity,
                    'line', c.line,
                    'message', c.message,
                    'remedy', c.remedy
                )
                order by c.place
            ) filter (where c.severity in ('critical', 'high') and c.place <= 5),
            '[]'
        ),
        count(*)
    into findings, finding_count
    from (
        select
            x.*,
            row_number() over (
                order by array_position('{critical,high,medium,low}', x.severity), x.line, x.rule collate core.c_utf8
            ) as place
        from quality.counted_findings(v_file_version_id, v_baseline_id) as x
    ) as c;

    v_session_id := quality.find_session(gate.session, v_project_id);
    insert into quality.gate_result (
        file_version_id, session_id, principal_id, preset, new_code, passed, score, failures, judged_at
    )
    values (
        v_file_version_id,
        v_session_id,
        v_principal_id,
        gate.preset,
        gate.new_code,
        gate.passed,
        gate.score,
        to_jsonb(gate.failures),
        core.now()
    );
    insert into quality.step (session_id, tool, path, blob_hash, passed, taken_at)
    values (v_session_id, 'tapps_quality_gate', v_path, gate.blob_hash, gate.passed, core.now());
    return next;
end
$function$;
comment on function api.gate(text, text, text, boolean, text) is
'Checks whether a file meets the conditions of a quality gate, and records the result. Reads the last scans of the '
'file. Arguments: path: path of the file (below the root of the project, or absolute); preset: name of the gate '
'(standard, strict or framework); project: the project, as NAME or OWNER/NAME (null: your only project); new_code: '
'true to check only the code that is new since the baseline; session: handle of the session (null: the caller''s last '
'session). Returns: whether the file passed (null: not checked); the score of the file; the score that the gate '
'requires; the failed conditions; the warnings; the most useful next steps; the version of the file that was checked; '
'whether a checker could not read the whole file; the first five findings of severity critical or high; the total '
'number of findings; true if the only security check of the file was a search for secrets, because there is no other '
'security check for this kind of file; and the words in the file that tell checkers to be silent, as a JSON array of '
'{line, word, tools, hides: number of findings that the word hides, counts: how many of them count nevertheless, '
'message, fingerprint, is_waived}. Checkers ignore these words; but if a word is about one line, the findings that it '
'would hide become hints, which do not affect the score. Raises QM404 project_not_found, file_not_scanned, '
'preset_not_found, session_not_found, QM409 project_ambiguous. Can be null: passed, score.';
grant execute on function api.gate to qm_user;
