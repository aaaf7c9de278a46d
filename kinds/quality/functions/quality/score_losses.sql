-- quality.score_losses: if no checker has read the file for a category, the score of this category is unknown. The
-- category then does not count, and its weight goes to the other categories. One category (security) needs all of its
-- checkers: while it is unknown, the overall score is unknown, too.
create or replace function quality.score_losses(p_file_version_id bigint, p_losses jsonb)
returns table (category text, score numeric, weight numeric, state text, lost numeric, missing text[])
language sql
stable parallel safe security invoker
rows 8
set search_path = pg_catalog, pg_temp
as $function$
    with read as (
        select
            k.category,
            sum(k.share) filter (where k.status = 'ok') / sum(k.share) as share,
            coalesce(
                array_agg(k.tool order by k.tool collate core.c_utf8) filter (where k.status <> 'ok'), '{}'
            ) as missing
        from quality.checkers(p_file_version_id) as k
        group by k.category
    ),

    lost as materialized (
        select x.category, sum(x.points) as points
        from jsonb_to_recordset(p_losses) as x (category text, points numeric)
        group by x.category
    ),

    judged as (
        select
            c.name, c.needs_all, c.weight * r.share as weight, r.missing, coalesce(l.points, 0) as points,
            case
                when r.share is null or (c.needs_all and cardinality(r.missing) > 0) then 'unknown'
                when cardinality(r.missing) > 0 then 'partial'
                else 'known'
            end as state
        from quality.category as c
        inner join read as r on r.category = c.name
        left join lost as l on l.category = c.name
    ),

    scored as (
        select
            j.name, j.state, j.needs_all and j.state = 'unknown' as is_open, j.points, j.missing,
            case when j.state <> 'unknown' then greatest(0, 10 - j.points) end as score,
            case when j.state <> 'unknown' then j.weight else 0 end as weight
        from judged as j
    )

    select
        s.name,
        round(s.score, 2),
        round(s.weight / nullif(sum(s.weight) over (), 0), 4),
        s.state,
        round(s.points, 2),
        s.missing
    from scored as s
    union all
    select
        'overall',
        case when not bool_or(s.is_open) then round(10 * sum(s.score * s.weight) / nullif(sum(s.weight), 0), 1) end,
        1,
        case
            when sum(s.weight) > 0 and not bool_or(s.is_open)
                then case when bool_and(s.state = 'known') then 'known' else 'partial' end
            else 'unknown'
        end,
        round(100 - 10 * sum(s.score * s.weight) / nullif(sum(s.weight), 0), 1),
        coalesce(
            (
                select array_agg(distinct m.tool collate core.c_utf8 order by m.tool collate core.c_utf8)
                from scored as o
                cross join unnest(o.missing) as m (tool)
            ),
            '{}'
        )
    from scored as s
    order by 1;
$function$;
comment on function quality.score_losses(bigint, jsonb) is
'Computes the scores of a file from the points that it lost. Arguments: p_file_version_id: id of the version of the '
'file; p_losses: JSON array of rows from quality.losses. Returns a row for each category, and a row with the name '
'"overall" for the whole file. Returns in each row: the score (null: unknown); the weight of the category in the '
'overall score; the state (known, partial or unknown); the lost points; the checkers that could not read the whole '
'file.';
grant execute on function quality.score_losses to qm_reader;
