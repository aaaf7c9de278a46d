-- knowledge.put_notes: a note whose digest is known is left unchanged. A note with a problem is quarantined: it is
-- stored, so that people see it in the list, but it has no passages.
-- Writes: knowledge.note, knowledge.passage, knowledge.question, cards.
create or replace function knowledge.put_notes(p_project_id integer, p_notes jsonb)
returns table (name text, outcome text, problem text)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id bigint;
    v_changed bigint[] := '{}'::bigint[];
    v_notes jsonb := p_notes;
begin
    perform knowledge.require_notes(p_notes);
    if p_project_id is not null then
        select
            jsonb_agg(
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
                p_project_id, c.name, knowledge.find_domain(c.note ->> 'domain'), c.note ->> 'title',
                c.note ->> 'version', c.note ->> 'source', (c.note ->> 'verified')::boolean,
                (c.note ->> 'reviewed')::date,
                array(select left(e.cite, 300) from jsonb_array_elements_text(c.note -> 'cites') as e (cite) limit 20),
                c.digest, c.problem,
                case when p_project_id is not null then policy.principal_id() end, core.now()
            from compared as c
            where c.outcome <> 'unchanged'
            on conflict on constraint note_name_key do update
            set
                domain = excluded.domain, title = excluded.title, version = excluded.version, source = excluded.source,
                is_verified = excluded.is_verified, reviewed_on = excluded.reviewed_on, cites = excluded.cites,
                digest = excluded.digest, problem = excluded.problem, written_by = excluded.written_by,
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
    perform knowledge.put_passages(p_project_id, v_notes, v_changed);
    perform knowledge.put_questions(p_project_id, v_changed);
end
$function$;
comment on function knowledge.put_notes(integer, jsonb) is
'Stores the notes of a project, or notes for everybody. Arguments: p_project_id: id of the project to which the notes '
'belong (null: the notes are for everybody); p_notes: JSON array of notes, each with its passages. Returns for each '
'note the outcome (added, changed or unchanged), and the reason why the note is in quarantine (null: not in '
'quarantine). Raises QM404 domain_not_found, QM422 note_invalid.';
