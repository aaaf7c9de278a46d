-- knowledge.put_notes: a note whose digest is known stays as it is.
-- A note with a problem is quarantined: it is stored, so that people see it in the list, and has no passages.
-- Writes: knowledge.note, knowledge.passage, knowledge.question, cards.
create or replace function knowledge.put_notes(p_project_id integer, p_notes jsonb)
returns table (name text, outcome text, problem text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_invalid text;
    v_times bigint;
    v_id bigint;
    v_changed bigint[] := '{}'::bigint[];
    v_notes jsonb := p_notes;
    v_audience_id constant integer := (select p.audience_id from projects.project as p where p.id = p_project_id);
    v_mention constant text := projects.mention(p_project_id);
begin
    select coalesce(n.name, '?'), n.of_name
    into v_invalid, v_times
    from (
        select
            e.note,
            e.note ->> 'name' as name,
            count(e.note ->> 'name') over (partition by e.note ->> 'name') as of_name
        from jsonb_array_elements(p_notes) as e (note)
    ) as n
    where
        (
            jsonb_typeof(n.note) = 'object'
            and n.of_name = 1
            and n.name ~ '^[a-z0-9][a-z0-9-]{0,63}(/[a-z0-9][a-z0-9-]{0,63})?$'
            and length(n.note ->> 'title') between 1 and 200
            and length(n.note ->> 'source') between 1 and 1000
            and length(n.note ->> 'version') <= 40
            and jsonb_typeof(n.note -> 'verified') = 'boolean'
            and n.note ->> 'reviewed' ~ '^\d{4}-\d\d-\d\d$' collate core.c_utf8
            and coalesce(jsonb_typeof(n.note -> 'cites'), 'array') = 'array'
            and n.note ->> 'digest' ~ '^[0-9a-f]{64}$'
            and jsonb_typeof(n.note -> 'passages') = 'array'
            and jsonb_array_length(n.note -> 'passages') between 1 and 200
            and not exists (
                select from jsonb_array_elements(n.note -> 'passages') as p (passage)
                where (
                    length(p.passage ->> 'text') between 1 and 8000
                    and length(p.passage ->> 'heading') between 1 and 200
                    and coalesce(length(p.passage ->> 'asked'), 0) <= 1000
                ) is not true
            )
        ) is not true
    limit 1;
    if v_invalid is not null then
        perform core.fail(
            'note_invalid',
            format(
                'the note %L %s',
                left(v_invalid, 100),
                case when v_times > 1 then 'is given twice' else 'cannot be stored' end
            )
        );
    end if;

    if p_project_id is not null then
        select jsonb_agg(
            n.note || jsonb_build_object('problem', coalesce(n.note ->> 'problem', knowledge.suspicion(n.note)))
        )
        into v_notes
        from jsonb_array_elements(p_notes) as n (note);
    end if;

    for name, outcome, problem, v_id in
        with given as (
            select
                n.note,
                n.note ->> 'name' as name,
                n.note ->> 'problem' as problem,
                decode(n.note ->> 'digest', 'hex') as digest
            from jsonb_array_elements(v_notes) as n (note)
        ),

        compared as (
            select
                g.*,
                case
                    when k.digest = g.digest and k.problem is not distinct from g.problem then 'unchanged'
                    when k.id is not null then 'changed'
                    else 'added'
                end as outcome
            from given as g
            left join knowledge.note as k on k.project_id is not distinct from p_project_id and k.name = g.name
        ),

        written as (
            insert into knowledge.note as k (
                project_id, name, domain, title, version, source, is_verified, reviewed_on, cites, digest, problem,
                written_by, written_at
            )
            select
                p_project_id,
                c.name,
                knowledge.find_domain(c.note ->> 'domain'),
                c.note ->> 'title',
                c.note ->> 'version',
                c.note ->> 'source',
                (c.note ->> 'verified')::boolean,
                (c.note ->> 'reviewed')::date,
                array(select left(e.cite, 300) from jsonb_array_elements_text(c.note -> 'cites') as e (cite) limit 20),
                c.digest,
                c.problem,
                case when p_project_id is not null then policy.principal_id() end,
                core.now()
            from compared as c
            where c.outcome <> 'unchanged'
            on conflict on constraint note_name_key do update
            set
                domain = excluded.domain,
                title = excluded.title,
                version = excluded.version,
                source = excluded.source,
                is_verified = excluded.is_verified,
                reviewed_on = excluded.reviewed_on,
                cites = excluded.cites,
                digest = excluded.digest,
                problem = excluded.problem,
                written_by = excluded.written_by,
                written_at = excluded.written_at
            returning k.id, k.name
        )

        select c.name, c.outcome, c.problem, w.id
        from compared as c
        left join written as w on w.name = c.name
        order by c.name collate core.c_utf8
    loop
        v_changed := v_changed || array_remove(array[v_id], null);
        return next;
    end loop;
    if v_changed = '{}' then
        return;
    end if;
    perform knowledge.remove_passages(v_changed);
    insert into knowledge.passage (note_id, place, heading, text, asked)
    select k.id, s.place, s.passage ->> 'heading', s.passage ->> 'text', coalesce(s.passage ->> 'asked', '')
    from jsonb_array_elements(v_notes) as n (note)
    inner join knowledge.note as k
        on k.project_id is not distinct from p_project_id and k.name = n.note ->> 'name' and k.id = any(v_changed)
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
    where n.id = any(v_changed);

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
    where p.note_id = any(v_changed)
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
    where n.id = any(v_changed);
end
$function$;
comment on function knowledge.put_notes(integer, jsonb) is
'Stores notes. Arguments: p_project_id: id of the project to which the notes belong (null: the notes are for '
'everybody); p_notes: JSON array of notes, each with its passages. Returns for each note the outcome (added, changed '
'or unchanged), and the reason why the note is in quarantine (null: not in quarantine). Raises QM404 domain_not_found, '
'QM422 note_invalid.';
