-- quality.suppressions: Quartermaster runs the checkers as if these words were not in the file. It therefore knows
-- which findings a word would hide. If the word applies to one line, these findings become hints; if it applies to
-- several lines, they count. A finding is listed as hidden only if it would count without the word.
-- The result also contains the lines that mypy considers unreachable. mypy does not check these lines, so nobody knows
-- which findings they would have. If they are a large part of the file, mypy's report of them has the rule "unread",
-- otherwise "unreachable".
create or replace function quality.suppressions(p_file_version_id bigint, p_baseline_id bigint)
returns table (
    line integer,
    word text,
    tools text[],
    hides integer,
    counts integer,
    quiets boolean,
    message text,
    fingerprint text,
    is_waived boolean
)
language plpgsql
stable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
begin
    -- Most files have none, and findings are slow.
    if not exists (
        select from quality.latest_scans(p_file_version_id) as s
        inner join quality.finding as f on f.scan_id = s.id
        where s.tool = 'suppressions' or (s.tool = 'mypy' and f.rule in ('unread', 'unreachable'))
    ) then
        return;
    end if;
    return query
    with found as materialized (
        select * from quality.findings(p_file_version_id)
    ),

    words as (
        select f.line, n.name as word, f.rule in ('suppression-unread', 'unread') as is_unread, f.message, f.fingerprint
        from found as f
        inner join quality.finding as n on n.id = f.id
        where
            (f.tool = 'suppressions' or (f.tool = 'mypy' and f.rule in ('unread', 'unreachable')))
            and (
                p_baseline_id is null
                or f.fingerprint not in (select b.fingerprint from quality.findings(p_baseline_id) as b)
            )
    )

    select
        w.line, w.word, h.tools, h.hides, h.counts, w.is_unread or h.hides > 0,
        case
            when h.hides = 0 then format('line %s: %s', w.line, rtrim(w.message, '.'))
            else format(
                'line %s: `%s` hides %s of %s%s',
                w.line,
                w.word,
                case h.hides when 1 then '1 finding' else h.hides || ' findings' end,
                array_to_string(h.tools, ' and '),
                case h.counts
                    when 0 then ''
                    when h.hides then ', but it counts'
                    else format(', of which %s count', h.counts)
                end
            )
        end,
        w.fingerprint,
        exists (
            select from quality.waiver as x
            inner join quality.file_version as v on v.project_id = x.project_id and v.path = x.path
            where v.id = p_file_version_id and x.what = w.fingerprint and x.expires_at > core.now()
        )
    from words as w
    cross join lateral (
        select
            count(*)::integer as hides, (count(*) filter (where f.counts))::integer as counts,
            coalesce(array_agg(distinct f.tool collate core.c_utf8 order by f.tool collate core.c_utf8), '{}') as tools
        from found as f
        where f.suppressed_at = w.line and f.suppressed_by = w.word
    ) as h
    order by w.line, w.word;
end
$function$;
comment on function quality.suppressions(bigint, bigint) is
'Lists the words in a version of a file that tell checkers to be silent, such as # noqa. Arguments: p_file_version_id: '
'id of the version; p_baseline_id: id of an earlier version (null: none); words that are also in this version are left '
'out. Returns for each word: the line; the word; the checkers whose findings it would hide; the number of these '
'findings; how many of them count nevertheless; true if the word hides something or keeps a checker from reading '
'lines; the message, a sentence for people; the fingerprint, by which a person can waive it; true if a person has '
'waived it.';
grant execute on function quality.suppressions to qm_reader;
