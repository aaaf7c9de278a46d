create or replace function quality.checkers(p_file_version_id bigint)
returns table (category text, tool text, share numeric, status text, reason text, can_read boolean)
language sql
stable parallel safe security invoker
rows 10
set search_path = pg_catalog, pg_temp
as $function$
    select
        c.category,
        c.tool,
        c.share,
        coalesce(s.status, 'skipped'),
        coalesce(s.reason, 'It has not run. Next: ' || c.remedy),
        c.can_read
    from quality.file_version as v
    inner join quality.checker as c on c.language = v.language
    left join quality.latest_scans(v.id) as s on s.tool = c.tool
    where v.id = p_file_version_id and not (c.category = 'test_coverage' and quality.is_test(v.path))
    order by c.category, c.tool;
$function$;
comment on function quality.checkers(bigint) is
'Lists the checkers that apply to a file. Argument p_file_version_id: id of the version of the file. Returns for each '
'category and checker: the checker''s share of the category''s score; the status of the checker (skipped: the checker '
'did not run); the reason and the next step if the status is not ok; true if a checker for this language and category '
'exists.';
grant execute on function quality.checkers to qm_reader;
