-- api.checklist: a step counts only for the present version of a file. If a gate ran before the last change of a file,
-- the gate is listed as missing.
-- Definer: callers have no permission to write quality.session, and the function begins a session if there is none.
-- Writes: quality.session.
create or replace function api.checklist(
    task_type text default 'general', session text default null, changed jsonb default null, project text default null
)
returns table (tool text, path text, state text, reason text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(checklist.project);
    v_session_id bigint;
begin
    if not exists (select from quality.task_step as t where t.task_type = checklist.task_type) then
        perform core.fail(
            'argument_invalid',
            format('%L is not a type of task', left(checklist.task_type, 100)),
            null,
            'Use "feature", "bugfix", "refactor", "config" or "general".'
        );
    end if;
    v_session_id := quality.find_session(checklist.session, v_project_id);
    return query
    with taken as materialized (
        select s.tool, s.path, s.blob_hash, s.passed, s.subject, s.id
        from quality.step as s
        where s.session_id = v_session_id
        union all
        -- Whoever asks a gate has asked for the score, too.
        select 'tapps_score_file', s.path, s.blob_hash, null, null, s.id
        from quality.step as s
        where s.session_id = v_session_id and s.tool = 'tapps_quality_gate'
    ),

    files as materialized (
        select
            c.path,
            c.content ->> 'blob_hash' as blob_hash,
            c.content -> 'imports' as imports,
            quality.language_of(c.path) as language
        from jsonb_each(checklist.changed) as c (path, content)
        union all
        select v.path, v.blob_hash, null, v.language
        from (select distinct t.path from taken as t where t.path is not null) as t
        inner join lateral (
            select x.*
            from quality.file_version as x
            where x.project_id = v_project_id and x.path = t.path
            order by x.seen_at desc, x.id desc
            limit 1
        ) as v on true
        where checklist.changed is null
    ),

    expected as (
        select r.tool, f.path, f.blob_hash, r.is_required, r.reason, i.library
        from quality.task_step as r
        inner join files as f on case r.tool
            when 'tapps_validate_config' then f.language = 'config'
            when 'tapps_quality_gate' then f.language in ('python', 'other', 'config')
            else f.language in ('python', 'other')
        end
        left join lateral jsonb_array_elements_text(f.imports) as i (library) on r.tool = 'tapps_lookup_docs'
        where r.task_type = checklist.task_type
            and r.is_per_file
            and (r.tool <> 'tapps_lookup_docs' or i.library is not null)
        union all
        select r.tool, null, null, r.is_required, r.reason, null
        from quality.task_step as r
        where
            r.task_type = checklist.task_type
            and (not r.is_per_file or (not exists (select from files) and r.tool <> 'tapps_lookup_docs'))
    ),

    compared as (
        select distinct on (e.tool, e.path, e.library collate core.c_utf8)
            e.tool,
            e.path,
            e.is_required,
            e.reason,
            e.blob_hash,
            e.library,
            t.blob_hash as known_hash,
            t.passed,
            t.id is not null as is_taken,
            t.id is not null
            and (e.path is null or e.library is not null or t.blob_hash is not distinct from e.blob_hash)
            and (e.tool <> 'tapps_quality_gate' or t.passed is not false) as is_done
        from expected as e
        left join taken as t on t.tool = e.tool
            and case
                when e.library is not null then lower(t.subject) = lower(e.library collate core.c_utf8)
                else e.path is null or t.path = e.path
            end
        order by
            e.tool,
            e.path,
            e.library collate core.c_utf8,
            is_done desc,
            t.blob_hash is not distinct from e.blob_hash desc,
            t.id desc
    )

    select
        c.tool, c.path,
        case when c.is_done then 'done' when c.is_required then 'missing' else 'optional' end,
        case
            when c.is_done then ''
            when c.library is not null
                then format('the code uses %L, but nobody has looked it up: %s', c.library, c.reason)
            when not c.is_taken then format('%s was never used%s: %s', c.tool, ' for ' || c.path, c.reason)
            when c.path is not null and c.known_hash is distinct from c.blob_hash
                then format(
                    '%s saw %s as %s, but the file is now %s',
                    c.tool,
                    c.path,
                    left(c.known_hash, 8),
                    coalesce(left(c.blob_hash, 8), 'gone')
                )
            else format('the gate did not pass%s', ' for ' || c.path)
        end
    from compared as c
    order by c.is_done, not c.is_required, c.tool, c.path, c.library collate core.c_utf8;
end
$function$;
comment on function api.checklist(text, text, jsonb, text) is
'Lists the quality tools that a session should use, and whether the session has used them. Arguments: task_type: kind '
'of task (feature, bugfix, refactor, config or general); session: handle of the session (null: the caller''s last '
'session); changed: the changed files, as JSON {path: {blob_hash: version of the file, imports: imported modules}} '
'(null: the files on which the session has worked); project: the project, as NAME or OWNER/NAME (null: your only '
'project). Returns for each tool and file the state (done, missing or optional) and the reason. Raises QM404 '
'project_not_found, session_not_found, QM422 argument_invalid. Can be null: path.';
grant execute on function api.checklist to qm_user;
