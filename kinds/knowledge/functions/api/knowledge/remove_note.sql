-- Writes: knowledge.note, knowledge.passage, cards.
create or replace function api.remove_note(name text, project text default null)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(remove_note.project);
    v_id bigint;
begin
    select n.id
    into v_id
    from knowledge.note as n
    where n.project_id = v_project_id and n.name = remove_note.name;
    if v_id is null then
        perform core.fail(
            'project_note_not_found', format('the project has no note called %L', left(remove_note.name, 200))
        );
    end if;
    perform knowledge.remove_passages(array[v_id]);
    delete from knowledge.note as n where n.id = v_id;
end
$function$;
comment on function api.remove_note(text, text) is
'Removes a note from a project. Arguments: name: name of the note; project: the project, as NAME or OWNER/NAME (null: '
'your only project). Raises QM404 project_not_found, project_note_not_found.';
grant execute on function api.remove_note to qm_user;
