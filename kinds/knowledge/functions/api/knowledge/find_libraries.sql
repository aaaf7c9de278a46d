create or replace function api.find_libraries(library text, folder text default null)
returns table (name text, version text, summary text, objects integer, fit real)
language sql
stable parallel safe security definer
rows 5
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select f.name, f.version, d.summary, d.objects, f.fit
    from knowledge.find_distributions(find_libraries.library, find_libraries.folder) as f
    inner join knowledge.distribution as d on d.id = f.id
    order by f.fit desc, f.version collate core.c_utf8 desc, f.id desc
    limit 10;
$function$;
comment on function api.find_libraries(text, text) is
'Finds indexed libraries, best first. Arguments: library: name of a distribution or module; folder: package folder '
'that must contain the library (null: any folder). Returns for each library: its name, version and summary; the number '
'of its objects; and a number that says how well the library matches (fit). This number depends on what the argument '
'`library` is: the name of the distribution (3), the path of an object (2.5) or the name of a module (2). Otherwise, '
'the number is the similarity of the names.';
alter function api.find_libraries owner to qm_reader;
grant execute on function api.find_libraries to qm_user;
