-- Writes: knowledge.question, cards.
create or replace function knowledge.put_questions(p_project_id integer, p_changed bigint[])
returns void
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_audience_id constant integer := (select p.audience_id from projects.project as p where p.id = p_project_id);
    v_mention constant text := projects.mention(p_project_id);
begin
    -- The heading is a question, too. A sentence of a few letters ("How?") means nothing alone.
    insert into knowledge.question (passage_id, text)
    select p.id, q.text
    from knowledge.passage as p
    cross join lateral (
        select p.heading
        union
        select x.sentence
        from regexp_split_to_table(p.asked, '(?<=[.?!])\s+') as x (sentence)
        where length(x.sentence) > 12
    ) as q (text)
    where p.note_id = any(p_changed)
    order by p.id, q.text;
    perform search.put_cards(
        'question', coalesce(jsonb_agg(
            jsonb_build_object(
                'ref', q.id,
                'name', n.name || '#' || p.place,
                'origin', n.domain,
                'label', q.text,
                'brief', v_mention || catalog.brief(q.text),
                'fields', jsonb_build_array(q.text, p.heading, n.title, n.domain),
                'embedding_text', q.text,
                'audience', v_audience_id
            )
        ), '[]')
    )
    from knowledge.question as q
    inner join knowledge.passage as p on p.id = q.passage_id
    inner join knowledge.note as n on n.id = p.note_id
    where n.id = any(p_changed);
end
$function$;
comment on function knowledge.put_questions(integer, bigint[]) is
'Stores the questions that passages answer. Arguments: p_project_id: id of the project to which the notes belong '
'(null: the notes are for everybody); p_changed: ids of the notes (their passages must not have questions yet).';
