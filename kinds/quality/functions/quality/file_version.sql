create or replace function quality.file_version(p_project_id integer, p_path text)
returns bigint
language plpgsql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id constant bigint := (
        select v.id
        from quality.file_version as v
        where v.project_id = p_project_id and v.path = p_path
        order by v.seen_at desc, v.id desc
        limit 1
    );
begin
    if v_id is null then
        perform core.fail('file_not_scanned', format('nobody has scanned %L yet', left(p_path, 200)));
    end if;
    return v_id;
end
$function$;
comment on function quality.file_version(integer, text) is
'Finds the latest known version of a file. Arguments: p_project_id: id of the project; p_path: path of the file, '
'relative to the root of the project. Returns the id of the version. Raises QM404 file_not_scanned.';
grant execute on function quality.file_version to qm_reader;
