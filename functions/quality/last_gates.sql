-- quality.last_gates: the last result of a gate for each file, in words. The result for the newest version of a file comes
-- before those for earlier versions, however late these were judged.
create or replace function quality.last_gates(p_project_id integer, p_paths text[])
returns table (path text, told text)
language plpgsql
stable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
begin
    return query
    select distinct on (v.path)
        v.path,
        format(
            '%s by the gate %s on %s%s%s',
            case when not r.passed then 'Failed' when r.passed is null then 'Not checked' else 'Passed' end,
            r.preset, r.judged_at::date, case when n.is_old then ', of an earlier version of the file' end,
            case when not r.passed then ': ' || left((select string_agg(f, ' · ') from jsonb_array_elements_text(r.failures) as f), 300) end
        )
    from quality.file_version as v
    inner join quality.gate_result as r on r.file_version_id = v.id
    cross join lateral (
        select exists (
            select from quality.file_version as x
            where x.project_id = v.project_id and x.path = v.path and (x.seen_at, x.id) > (v.seen_at, v.id)
        ) as is_old
    ) as n
    where v.project_id = p_project_id and v.path = any(p_paths)
    order by v.path, n.is_old, r.judged_at desc, r.id desc;
end
$function$;
comment on function quality.last_gates(integer, text[]) is
'Describes the last result of a quality gate for files. Arguments: p_project_id: id of the project; p_paths: paths '
'below the root of the project. Returns a text for each file that was judged, ordered by path. The text says if the '
'result is about an earlier version of the file.';
grant execute on function quality.last_gates to qm_reader;
