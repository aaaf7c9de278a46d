create or replace function api.score(path text, project text default null)
returns table (category text, score numeric, weight numeric, state text, lost numeric, missing text[])
language sql
stable parallel safe security definer
rows 8
set search_path = pg_catalog, pg_temp
as $function$
    select s.category, s.score, s.weight, s.state, s.lost, s.missing
    from quality.scores(quality.file_version(projects.find(score.project), score.path)) as s;
$function$;
comment on function api.score(text, text) is
'Scores a file from its last scans. Arguments: path: path below the root of the project; project: the project, as NAME '
'or OWNER/NAME (null: your only project). Returns one row for each category and one row, with the name overall, for '
'the whole file. Each row contains: the score, from 0 to 10 for a category and from 0 to 100 for the whole file (null: '
'unknown); the weight of the score for this file; the state of the score (known, partial or unknown); the lost points; '
'and the checkers that could not read the whole file. api.losses explains each lost point. Can be null: score, weight, '
'lost.';
alter function api.score owner to qm_reader;
grant execute on function api.score to qm_user;
