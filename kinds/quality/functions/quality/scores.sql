-- quality.scores: each category is scored from 0 to 10, and the whole file from 0 to 100.
create or replace function quality.scores(p_file_version_id bigint, p_baseline_id bigint default null)
returns table (category text, score numeric, weight numeric, state text, lost numeric, missing text[])
language sql
stable parallel safe security invoker
rows 8
set search_path = pg_catalog, pg_temp
as $function$
    select s.*
    from quality.score_losses(
        p_file_version_id,
        (select coalesce(jsonb_agg(x), '[]') from quality.losses(p_file_version_id, p_baseline_id) as x)
    ) as s
    order by s.category collate core.c_utf8;
$function$;
comment on function quality.scores(bigint, bigint) is
'Computes the scores of a version of a file. Arguments: the same as the arguments of quality.losses. Returns the rows '
'of quality.score_losses.';
grant execute on function quality.scores to qm_reader;
