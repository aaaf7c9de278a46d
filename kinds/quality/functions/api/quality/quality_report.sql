create or replace function api.quality_report(path text default null, project text default null)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(quality_report.project);
begin
    return (
        with files as materialized (
            select distinct on (v.path) v.id, v.path, v.blob_hash, v.seen_at
            from quality.file_version as v
            where v.project_id = v_project_id and (quality_report.path is null or v.path = quality_report.path)
            order by v.path, v.seen_at desc, v.id desc
        )

        select jsonb_build_object(
            'project', (select j.name from projects.project as j where j.id = v_project_id),
            'files', coalesce(
                (
                    select jsonb_agg(
                        jsonb_build_object(
                            'path', f.path,
                            'blob_hash', f.blob_hash,
                            'seen_at', f.seen_at,
                            'scores', (
                                select jsonb_object_agg(
                                    s.category,
                                    jsonb_build_object('score', s.score, 'state', s.state, 'missing', s.missing)
                                )
                                from quality.scores(f.id) as s
                            ),
                            'gate', (
                                select jsonb_build_object(
                                    'preset', g.preset,
                                    'passed', g.passed,
                                    'failures', g.failures,
                                    'judged_at', g.judged_at
                                )
                                from quality.gate_result as g
                                where g.file_version_id = f.id
                                order by g.judged_at desc, g.id desc
                                limit 1
                            ),
                            'findings', (
                                select coalesce(
                                    jsonb_agg(
                                        to_jsonb(n) - '{id,counts,because,suppressed_by,suppressed_at}'::text[]
                                        order by n.line, n.tool collate core.c_utf8, n.rule collate core.c_utf8, n.id
                                    ),
                                    '[]'
                                )
                                from quality.findings(f.id) as n
                                where n.counts
                            ),
                            'suppressions', (
                                select coalesce(
                                    jsonb_agg(to_jsonb(w) - 'quiets' order by w.line, w.word collate core.c_utf8), '[]'
                                )
                                from quality.suppressions(f.id, null) as w
                            )
                        )
                        order by f.path
                    )
                    from files as f
                ),
                '[]'
            )
        )
    );
end
$function$;
comment on function api.quality_report(text, text) is
'Reports on one file or on all files of a project, from the stored scans. Arguments: path: path of the file (null: all '
'files); project: the project, as NAME or OWNER/NAME (null: your only project). Returns JSON with two members. '
'project: the name of the project. files: an array with an object for each file. Each object has path, blob_hash '
'(version of the file), seen_at (when this version was last seen), scores, gate (last result of a quality gate), '
'findings (only those that affect the score) and suppressions (words in the file that tell checkers to be silent, as '
'api.gate returns them).';
alter function api.quality_report owner to qm_reader;
grant execute on function api.quality_report to qm_user;
