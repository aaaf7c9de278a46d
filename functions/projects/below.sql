-- projects.below: callers write the path of a file as an absolute path, with ./ in front, or relative to the root. An
-- absolute path outside the root is returned unchanged: the file does not belong to the project.
create or replace function projects.below(p_project_id integer, p_path text)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select case
        when p_path || '/' ^@ (rtrim(p.root, '/') || '/')
            then ltrim(substr(p_path, length(rtrim(p.root, '/')) + 1), '/')
        else regexp_replace(coalesce(p_path, ''), '^(\./)+', '')
    end
    from projects.project as p
    where p.id = p_project_id;
$function$;
comment on function projects.below(integer, text) is
'Converts a path to a path relative to the root of a project. Arguments: p_project_id: id of the project; p_path: an '
'absolute path, or a path relative to the root. Returns the relative path. Returns an absolute path outside the '
'project unchanged.';
grant execute on function projects.below to qm_reader;
