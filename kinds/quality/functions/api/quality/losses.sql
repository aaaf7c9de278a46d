create or replace function api.losses(path text, project text default null)
returns table (category text, points numeric, tool text, rule text, line integer, finding bigint, why text, remedy text)
language sql
stable parallel safe security definer
rows 30
set search_path = pg_catalog, pg_temp
as $function$
    select l.category, l.points, l.tool, l.rule, l.line, l.finding_id, l.why, l.remedy
    from quality.losses(quality.file_version(projects.find(losses.project), losses.path)) as l;
$function$;
comment on function api.losses(text, text) is
'Explains the score of a file: each row shows why the file lost points. Arguments: path: path below the root of the '
'project; project: the project, as NAME or OWNER/NAME (null: your only project). Returns for each loss: the category, '
'the number of lost points, the checker, the rule or the measured number, the line, the finding, the reason and the '
'remedy. Can be null: line, finding.';
alter function api.losses owner to qm_reader;
grant execute on function api.losses to qm_user;
