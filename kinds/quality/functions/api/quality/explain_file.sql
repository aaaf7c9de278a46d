-- api.explain_file: one answer contains what api.score, api.losses, api.findings and api.scans return for a file, and
-- the file's suppression comments, such as # noqa.
create or replace function api.explain_file(path text, project text default null)
returns jsonb
language plpgsql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id constant bigint := quality.file_version(projects.find(explain_file.project), explain_file.path);
    v_losses constant jsonb := (
        select coalesce(jsonb_agg(to_jsonb(l) - 'place' order by l.place), '[]')
        from quality.losses(v_id) with ordinality as l (category, points, tool, rule, line, finding, why, remedy, place)
    );
begin
    return jsonb_build_object(
        'losses', v_losses,
        'score', (
            select jsonb_agg(s order by s.category collate core.c_utf8) from quality.score_losses(v_id, v_losses) as s
        ),
        'findings', (
            select coalesce(
                jsonb_agg(
                    to_jsonb(f) - '{suppressed_by,suppressed_at}'::text[]
                    order by f.line, f.tool collate core.c_utf8, f.rule collate core.c_utf8, f.id
                ),
                '[]'
            )
            from quality.findings(v_id) as f
        ),
        'scans', (
            select coalesce(jsonb_agg(s order by s.tool collate core.c_utf8), '[]')
            from api.scans(explain_file.path, explain_file.project) as s
        ),
        'suppressions', (
            select coalesce(jsonb_agg(to_jsonb(w) - 'quiets' order by w.line, w.word collate core.c_utf8), '[]')
            from quality.suppressions(v_id, null) as w
        )
    );
end
$function$;
comment on function api.explain_file(text, text) is
'Collects everything that the last scans of a file found. Arguments: path: path below the root of the project; '
'project: the project, as NAME or OWNER/NAME (null: your only project). Returns JSON with the members score, losses, '
'findings, scans and suppressions. Each of the first four is an array with the rows that the function of the same name '
'returns for the file; suppressions contains the words in the file that tell checkers to be silent, as api.gate '
'returns them. Raises QM404 project_not_found, file_not_scanned.';
alter function api.explain_file owner to qm_reader;
grant execute on function api.explain_file to qm_service, qm_user;
