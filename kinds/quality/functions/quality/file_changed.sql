create or replace function quality.file_changed(p_project_id integer, p_path text, p_since timestamptz)
returns boolean
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select exists (
        select
        from quality.file_version as v
        inner join quality.file_version as w
            on w.project_id = v.project_id and w.path = v.path and w.seen_at > v.seen_at
        where v.project_id = p_project_id and v.path = p_path and v.seen_at >= p_since
    );
$function$;
comment on function quality.file_changed(integer, text, timestamptz) is
'Checks whether a file has changed since a given time (hook point file_changed). Arguments: p_project_id: id of the '
'project; p_path: path of the file, relative to the root of the project; p_since: the time. Returns true if '
'Quartermaster saw a version of the file at or after this time, and later another version.';
grant execute on function quality.file_changed to qm_reader;
