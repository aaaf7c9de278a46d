-- Writes: knowledge.passage, knowledge.question, cards.
create or replace function knowledge.remove_passages(p_notes bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_passages constant bigint[] := array(select p.id from knowledge.passage as p where p.note_id = any(p_notes));
begin
    perform search.remove_cards('passage', v_passages);
    perform search.remove_cards(
        'question', array(select q.id from knowledge.question as q where q.passage_id = any(v_passages))
    );
    delete from knowledge.passage as p where p.id = any(v_passages);
end
$function$;
comment on function knowledge.remove_passages(bigint[]) is
'Removes all passages of the given notes, and the questions and cards of these passages. Argument p_notes: ids of the '
'notes.';
