-- api.put_notes: the database cannot recognise secrets. The service and qm replace secrets and personal data before
-- they call this function.
-- Writes: knowledge.note, knowledge.passage, knowledge.question, cards, through knowledge.put_notes.
create or replace function api.put_notes(notes jsonb, project text default null)
returns table (name text, outcome text, problem text)
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(put_notes.project);
begin
    if jsonb_typeof(put_notes.notes) is distinct from 'array' or jsonb_array_length(put_notes.notes) > 200 then
        perform core.fail('note_invalid', 'the notes must be an array of at most 200 notes');
    end if;
    return query select p.name, p.outcome, p.problem from knowledge.put_notes(v_project_id, put_notes.notes) as p;
end
$function$;
comment on function api.put_notes(jsonb, text) is
'Stores notes of a project, which only members of the project see. Arguments: notes: JSON array of {name, domain, '
'title, version, source, verified, reviewed, cites, digest, problem, passages: [{heading, text, asked}]}, with at most '
'200 elements; project: the project, as NAME or OWNER/NAME (null: your only project). Texts are stored as they are: '
'remove secrets and personal data first, or use qm knowledge add, which replaces them. Returns for each note the '
'outcome (added, changed or unchanged), and the reason if the note is quarantined. Raises QM404 project_not_found, '
'domain_not_found, QM422 note_invalid. Can be null: problem.';
grant execute on function api.put_notes to qm_user;
