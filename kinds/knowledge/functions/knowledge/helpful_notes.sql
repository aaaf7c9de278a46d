-- knowledge.helpful_notes: knowledge.judge_passages judges the best three passages. If its confidence is below the
-- setting knowledge.floor, nothing is returned. knowledge.fit_passages computes the probability that a passage helps.
-- Passages come in the order of the search, with one exception (p_in_context). If only the context says what the task
-- means, the words of the task find nothing useful. Then the passages whose meaning fits best come first, whatever
-- their scores are.
create or replace function knowledge.helpful_notes(
    p_task text,
    p_passage_ids bigint[],
    p_scores real[],
    p_similar real[],
    p_vector ext.vector,
    p_in_context boolean,
    p_most integer
)
returns table (place bigint, note text, told text, probability real, project text)
language plpgsql
stable parallel safe security invoker
rows 5
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_floor constant real := (core.get_setting('knowledge.floor'))::real;
    v_nearest constant real := (select max(s.near) from unnest(p_similar) as s (near));
    v_fits constant real[] := case
        when p_in_context then array(
            select case when g.near > 0 then g.near / v_nearest else g.score end
            from unnest(p_scores, p_similar) with ordinality as g (score, near, place)
            order by g.place
        )
        else p_scores
    end;
begin
    return query
    with placed as materialized (
        select
            f.passage_id,
            f.probability,
            g.near,
            row_number() over (order by case when p_in_context then f.probability end desc, g.place) as place
        from unnest(p_passage_ids, p_similar) with ordinality as g (id, near, place)
        inner join knowledge.fit_passages(p_task, p_passage_ids, p_similar, v_fits) as f on f.passage_id = g.id
    ),

    judged as materialized ( -- judged once, not for each use
        select (
            knowledge.judge_passages(
                p_task,
                array_agg(b.passage_id order by b.place),
                max(b.near),
                case when not p_in_context then p_scores end,
                p_vector
            ) ->> 'confidence'
        )::real as confidence
        from placed as b
        where b.place <= 3
    )

    select
        b.place,
        n.name,
        format(
            '%s%s. %s%s %s [%s]',
            projects.mention(n.project_id),
            n.title,
            p.heading,
            case when p.heading !~ '[.:?!]$' then ':' end,
            p.text,
            n.source
        ),
        b.probability,
        projects.principal_name(o.owner_id) || '/' || o.name
    from placed as b
    inner join judged as j on j.confidence >= v_floor
    inner join knowledge.passage as p on p.id = b.passage_id
    inner join knowledge.note as n on n.id = p.note_id
    left join projects.project as o on o.id = n.project_id
    where b.place <= p_most
    order by b.place;
end
$function$;
comment on function knowledge.helpful_notes(text, bigint[], real[], real[], ext.vector, boolean, integer) is
'Chooses the passages of notes that help with a task. Arguments: p_task: text of the task, together with its context '
'if the task says little itself; p_passage_ids: ids of the passages that a search found, best first; p_scores: score '
'of each passage in the search; p_similar: cosine of each passage with the task (null: there are no vectors); '
'p_vector: vector of the task (null: no vector); p_in_context: true if only the context says what the task means, so '
'that words do not count; p_most: maximum number of passages. Returns for each passage, best first: its place, the '
'name of its note, its text with the title and the source of the note, the probability that it helps, and the project '
'of the note (null: the note comes with Quartermaster). Returns no rows if the passages are too unlikely to answer.';
grant execute on function knowledge.helpful_notes to qm_reader;
