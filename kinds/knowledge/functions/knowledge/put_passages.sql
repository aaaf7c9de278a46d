-- knowledge.put_passages: a note in quarantine gets no passages.
-- Writes: knowledge.passage, knowledge.question, cards.
create or replace function knowledge.put_passages(p_project_id integer, p_notes jsonb, p_changed bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_audience_id constant integer := (select p.audience_id from projects.project as p where p.id = p_project_id);
    v_mention constant text := projects.mention(p_project_id);
begin
    perform knowledge.remove_passages(p_changed);
    insert into knowledge.passage (note_id, place, heading, text, asked)
    select k.id, s.place, s.passage ->> 'heading', s.passage ->> 'text', coalesce(s.passage ->> 'asked', '')
    from jsonb_array_elements(p_notes) as n (note)
    inner join knowledge.note as k
        on
            k.project_id is not distinct from p_project_id
            and k.name = n.note ->> 'name'
            and k.id = any(p_changed)
    cross join lateral jsonb_array_elements(n.note -> 'passages') with ordinality as s (passage, place)
    where k.problem is null;
    -- Title and domain give the text of a passage the context that it had in its note.
    perform search.put_cards(
        'passage', coalesce(jsonb_agg(
            jsonb_build_object(
                'ref', p.id,
                'name', n.name || '#' || p.place,
                'origin', n.domain,
                'label', concat_ws(': ', n.title, p.heading),
                'brief', v_mention || catalog.brief(p.text),
                'fields', jsonb_build_array(concat_ws(' ', p.heading, n.title), p.asked, p.text, n.domain),
                'embedding_text', concat_ws(' ', n.title || ': ' || p.heading || '.', p.asked, p.text),
                'tokens', ceil(length(p.text) / 4.0) + 40,
                'audience', v_audience_id
            )
        ), '[]')
    )
    from knowledge.passage as p
    inner join knowledge.note as n on n.id = p.note_id
    where n.id = any(p_changed);
end
$function$;
comment on function knowledge.put_passages(integer, jsonb, bigint[]) is
'Replaces the passages of changed notes. Arguments: p_project_id: id of the project to which the notes belong (null: '
'the notes are for everybody); p_notes: JSON array of notes; p_changed: ids of the notes whose passages are replaced.';
