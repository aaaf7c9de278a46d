-- projects.mention: the name of the project comes before its text, so that nobody takes the text for a statement of
-- Quartermaster.
create or replace function projects.mention(p_project_id integer)
returns text
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select coalesce(
        (
            select format('According to the project %s/%s: ', projects.principal_name(p.owner_id), p.name)
            from projects.project as p
            where p.id = p_project_id
        ),
        ''
    );
$function$;
comment on function projects.mention(integer) is
'Returns the beginning of a sentence that names a project as the source of a text. Argument p_project_id: id of the '
'project. Returns an empty text if the id is null, because the text then comes from Quartermaster itself.';
grant execute on function projects.mention to qm_reader;
