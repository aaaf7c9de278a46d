-- api.quality_stats: these numbers change no score and no gate.
create or replace function api.quality_stats(project text default null)
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'tools', (
            select coalesce(jsonb_object_agg(t.tool, to_jsonb(t) - 'tool'), '{}')
            from (
                select
                    s.tool,
                    count(*) as uses,
                    count(*) filter (where s.passed) as passed,
                    round(percentile_cont(0.5) within group (order by s.elapsed_ms)::numeric, 1) as p50_ms,
                    round(percentile_cont(0.95) within group (order by s.elapsed_ms)::numeric, 1) as p95_ms,
                    max(s.taken_at) as last_at
                from quality.step as s
                inner join quality.session as n on n.id = s.session_id
                where n.project_id = p.id
                group by s.tool
            ) as t
        ),
        'checkers', (
            select coalesce(jsonb_object_agg(c.tool, to_jsonb(c) - 'tool'), '{}')
            from (
                select
                    s.tool,
                    count(*) as scans,
                    count(*) filter (where s.status = 'ok') as ok,
                    count(*) filter (where s.status = 'error') as failed,
                    round(percentile_cont(0.95) within group (order by s.elapsed_ms)::numeric, 1) as p95_ms
                from quality.scan as s
                inner join quality.file_version as v on v.id = s.file_version_id
                where v.project_id = p.id
                group by s.tool
            ) as c
        ),
        'gates', (
            select coalesce(jsonb_object_agg(g.preset, to_jsonb(g) - 'preset'), '{}')
            from (
                select r.preset, count(*) as judged, count(*) filter (where r.passed) as passed
                from quality.gate_result as r
                inner join quality.file_version as v on v.id = r.file_version_id
                where v.project_id = p.id
                group by r.preset
            ) as g
        ),
        'feedback', (
            select coalesce(jsonb_object_agg(f.tool, to_jsonb(f) - 'tool'), '{}')
            from (
                select b.tool, count(*) as ratings, round(avg(b.rating), 2) as mean
                from quality.feedback as b
                where b.project_id = p.id
                group by b.tool
            ) as f
        )
    )
    from projects.find(quality_stats.project) as p (id);
$function$;
comment on function api.quality_stats(text) is
'Counts how the quality tools were used in a project. Argument project: the project, as NAME or OWNER/NAME (null: your '
'only project). Returns JSON with four members. Each member contains one object for each tool, checker or gate, under '
'its name. tools: uses (number of uses), passed (number of uses in which the file passed), p50_ms (median duration in '
'milliseconds), p95_ms (95th percentile), last_at (time of the last use). checkers: scans (number of scans), ok '
'(number of complete scans), failed (number of failed scans), p95_ms. gates: judged (number of results), passed '
'(number of results in which the file passed). feedback: ratings (number of ratings), mean (mean rating).';
alter function api.quality_stats owner to qm_reader;
grant execute on function api.quality_stats to qm_user;
