create or replace function quality.project_facts(p_project_id integer)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_array(jsonb_build_array(null, coalesce(
        string_agg(
            format('%s %s %s', l.files, l.language, case l.files when 1 then 'file' else 'files' end),
            ', '
            order by l.files desc
        ),
        'no file was scanned yet'
    )))
    from (
        select v.language, count(distinct v.path) as files
        from quality.file_version as v
        where v.project_id = p_project_id
        group by v.language
    ) as l;
$function$;
comment on function quality.project_facts(integer) is
'Tells what is known about the code of a project (hook point project_facts). Argument p_project_id: id of the project. '
'Returns a JSON array with one pair: null, and the number of files in each language.';
grant execute on function quality.project_facts to qm_reader;
