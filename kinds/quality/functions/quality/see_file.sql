-- Writes: quality.file_version.
create or replace function quality.see_file(p_project_id integer, p_path text, p_blob_hash text)
returns bigint
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into quality.file_version as v (project_id, path, blob_hash, language, seen_at)
    values (p_project_id, p_path, p_blob_hash, quality.language_of(p_path), clock_timestamp())
    on conflict on constraint file_version_key do update
    set seen_at = excluded.seen_at, language = excluded.language
    returning v.id;
$function$;
comment on function quality.see_file(integer, text, text) is
'Records the present content of a file. Arguments: p_project_id: id of the project; p_path: path of the file, relative '
'to the root of the project; p_blob_hash: hash that git computes for the content. Returns the id of the version of the '
'file.';
