-- knowledge.passage_card: makes the card of a passage. Title and domain give the text the context that it had in its
-- note.
create or replace function knowledge.passage_card(p_passage knowledge.passage, p_note knowledge.note, p_audience_id integer)
returns jsonb
language sql
immutable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'ref', p_passage.id,
        'name', p_note.name || '#' || p_passage.place,
        'origin', p_note.domain,
        'label', concat_ws(': ', p_note.title, p_passage.heading),
        'brief', catalog.brief(p_passage.text),
        'fields', jsonb_build_array(concat_ws(' ', p_passage.heading, p_note.title), p_passage.asked, p_passage.text, p_note.domain),
        'embedding_text', concat_ws(' ', p_note.title || ': ' || p_passage.heading || '.', p_passage.asked, p_passage.text),
        'tokens', ceil(length(p_passage.text) / 4.0) + 40,
        'audience', p_audience_id
    );
$function$;
comment on function knowledge.passage_card(knowledge.passage, knowledge.note, integer) is
'Builds the card of a passage. Arguments: p_passage: the passage; p_note: the note of the passage; p_audience_id: id of '
'the audience (null: everybody). Returns the card as JSON.';
