-- quality.task_gates: if several versions of a file were judged, the result for the newest version is used, even if an
-- earlier version was judged later.
create or replace function quality.task_gates(p_task selection.task)
returns jsonb
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
begin
    return (
        select jsonb_agg(
            jsonb_build_object('name', g.path, 'text', g.told, 'score', 1) order by g.path collate core.c_utf8
        )
        from (
            select distinct on (v.path)
                v.path,
                format(
                    '%s by the gate %s on %s%s%s',
                    case when not r.passed then 'Failed' when r.passed is null then 'Not checked' else 'Passed' end,
                    r.preset,
                    r.judged_at::date,
                    case when n.is_old then ', of an earlier version of the file' end,
                    case
                        when not r.passed
                            then ': ' || left(
                                (select string_agg(f, ' · ') from jsonb_array_elements_text(r.failures) as f), 300
                            )
                    end
                ) as told
            from quality.file_version as v
            inner join quality.gate_result as r on r.file_version_id = v.id
            cross join lateral (
                select exists (
                    select from quality.file_version as x
                    where x.project_id = v.project_id and x.path = v.path and (x.seen_at, x.id) > (v.seen_at, v.id)
                ) as is_old
            ) as n
            where v.project_id = p_task.project_id and v.path = any(p_task.paths)
            order by v.path, n.is_old, r.judged_at desc, r.id desc
        ) as g
    );
end
$function$;
comment on function quality.task_gates(selection.task) is
'Returns the part "gate" of an answer of api.start_task (see selection.task_part): a row for each file that was '
'judged. The text says if the result is about an earlier version of the file. Argument p_task: the task.';
grant execute on function quality.task_gates to qm_reader;
