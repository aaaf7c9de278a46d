-- api.ask_expert: answers a question with passages of notes, or says that no note answers it.
-- The one search engine finds the passages; knowledge.judge_passages says how sure it is that they answer. Below the
-- setting knowledge.floor, nothing is answered: a passage that misses the question misleads.
-- Canonical decisions of the caller's projects come first, if the kind decision is installed.
-- Raises: QM404 domain_not_found, QM413 goal_too_long, QM422 goal_empty, argument_invalid, dimension_mismatch.
-- Writes: see api.search_cards.
create or replace function api.ask_expert(
    question text,
    domain text default null,
    query_vector ext.vector default null,
    top integer default 3
)
returns table (no_answer boolean, confidence real, parts jsonb, expert text, decisions jsonb, passages jsonb, receipt bigint)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_domain constant text := case when ask_expert.domain is not null then knowledge.find_domain(ask_expert.domain) end;
    v_floor constant real := (core.get_setting('knowledge.floor'))::real;
    v_best record;
begin
    perform core.require_between('the number of passages', ask_expert.top, 1, 10, 'Ask for 1 to 10 passages.');
    -- More are found than are shown, because the domain is chosen afterwards.
    with found as materialized (
        select s.ref, s.score, s.scores, s.rank, s.receipt, s.origin
        from api.search_cards(ask_expert.question, array['passage'], 'balanced', 40, ask_expert.query_vector) as s
    ),

    ranked as (
        select f.*, row_number() over (order by f.score desc, f.rank) as place
        from found as f
        where v_domain is null or f.origin = v_domain
    ),

    shown as (
        select r.*, p.heading, p.text, n.name as note, n.title, n.source, n.is_verified, n.reviewed_on, j.name as project
        from ranked as r
        inner join knowledge.passage as p on p.id = r.ref
        inner join knowledge.note as n on n.id = p.note_id
        left join projects.project as j on j.id = n.project_id
        where r.place <= ask_expert.top
    )

    select
        knowledge.judge_passages(ask_expert.question, array_agg(s.ref), max((s.scores ->> 'dense')::real)) as judged,
        mode() within group (order by s.origin) as domain,
        round(coalesce(avg((s.is_verified)::integer), 0), 2) as verified,
        round(coalesce(avg((not knowledge.is_stale(s.reviewed_on))::integer), 0), 2) as fresh,
        (select max(f.receipt) from found as f) as receipt,
        coalesce(jsonb_agg(
            jsonb_build_object(
                'text', concat(s.title, '. ', s.heading, ': ', s.text), 'note', s.note, 'heading', s.heading, 'source', s.source,
                'domain', s.origin, 'project', s.project, 'verified', s.is_verified, 'reviewed', s.reviewed_on,
                'stale', knowledge.is_stale(s.reviewed_on), 'score', round(s.score::numeric, 4)
            ) order by s.place
        ), '[]') as passages
    into v_best
    from shown as s;

    ask_expert.decisions := case
        when exists (select from search.kind as k where k.name = 'decision')
            then (
                select jsonb_agg(jsonb_build_object('name', d.name, 'text', d.brief, 'probability', round(d.score::numeric, 4)) order by d.rank)
                from api.search_cards(ask_expert.question, array['decision'], 'fast', 3, ask_expert.query_vector) as d
                where not d.weak and (d.scores ->> 'dense')::real >= (core.get_setting('knowledge.decision_floor'))::real
            )
    end;
    ask_expert.decisions := coalesce(ask_expert.decisions, '[]');
    ask_expert.confidence := case when v_best.passages = '[]' then 0 else (v_best.judged ->> 'confidence')::real end;
    if ask_expert.confidence < v_floor then
        v_best.passages := '[]';
    end if;
    ask_expert.passages := v_best.passages;
    ask_expert.no_answer := ask_expert.passages = '[]' and ask_expert.decisions = '[]';
    ask_expert.expert := coalesce(v_domain, v_best.domain);
    ask_expert.parts := v_best.judged - 'confidence' || jsonb_build_object(
        'floor', v_floor, 'verified', v_best.verified, 'fresh', v_best.fresh, 'decisions', jsonb_array_length(ask_expert.decisions)
    );
    ask_expert.receipt := v_best.receipt;
    return next;
end
$function$;
comment on function api.ask_expert(text, text, ext.vector, integer) is
'Answers a question with cited passages, best first, or says that no note answers it. Arguments: question; domain: only '
'notes of this domain, by its name or another word for it; query_vector: unit vector of the question in the active '
'model; top: number of passages (1 to 10). Returns one row: no_answer; confidence: the probability that at least one '
'passage is right; parts: what the confidence consists of; expert: the given domain, or the one that most passages '
'belong to; decisions: canonical decisions of your projects that fit; passages: JSON array of {text, note, heading, '
'source, domain, project, verified, reviewed, stale, score}; receipt.';
alter function api.ask_expert owner to qm_reader;
grant execute on function api.ask_expert to qm_user;
