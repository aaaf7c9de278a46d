-- api.ask_expert: the search engine finds the passages. knowledge.judge_passages computes the confidence that they
-- answer the question, from the scores of the passages. If it is below the setting knowledge.floor, no passage is
-- returned, because a passage that does not answer the question would mislead the caller.
-- Decisions of the caller's projects come before passages (hook point question_asked). If a domain is given, the
-- function returns only decisions of this domain (knowledge.domains_of_card). The answer names the project of a note,
-- so that nobody takes the note for a statement of Quartermaster. If two passages fit equally well, a passage from
-- Quartermaster's notes comes before a passage from a project's note (setting knowledge.lead).
-- The search finds a passage without a vector by its words only. Therefore, if the question has a vector, the answer
-- says how many passages have none yet. The function counts at most 1,000 texts: without a service that computes
-- vectors, all texts may lack them.
-- Writes: selection.receipt, and what the hooks at question_asked write.
create or replace function api.ask_expert(
    question text,
    domain text default null,
    query_vector ext.vector default null,
    top integer default 3
)
returns table (
    no_answer boolean,
    confidence real,
    parts jsonb,
    expert text,
    decisions jsonb,
    passages jsonb,
    receipt bigint,
    waiting bigint
)
language plpgsql
volatile parallel unsafe security definer
rows 1
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_started constant timestamptz := clock_timestamp();
    v_goal constant text := selection.require_goal(ask_expert.question, 'question');
    v_domain constant text := case when ask_expert.domain is not null then knowledge.find_domain(ask_expert.domain) end;
    v_floor constant real := (core.get_setting('knowledge.floor'))::real;
    v_decision_floor constant real := (core.get_setting('knowledge.decision_floor'))::real;
    v_lead constant real := (core.get_setting('knowledge.lead'))::real;
    v_mode constant selection.mode := selection.choose_mode('balanced', v_goal);
    v_vector constant ext.vector := coalesce(ask_expert.query_vector, search.embed_goal(v_goal));
    v_best record;
    v_hook regproc;
    v_more jsonb;
    v_decided jsonb := jsonb_build_array();
    v_decisions jsonb;
    v_passages jsonb;
    v_confidence real;
    v_messages text;
begin
    perform core.require_between('the number of passages', ask_expert.top, 1, 10, 'Ask for 1 to 10 passages.');
    with found as materialized (
        select
            c.ref,
            c.name,
            c.origin,
            c.audience_id is not null as of_project,
            case when 'dense' = any(f.sources) then f.dense end as dense,
            f.score + v_mode.weight_success * coalesce(u.success_gain, 0) as score
        from search.search(
            'passage',
            v_goal,
            v_vector,
            v_mode.lexical,
            v_mode.dense,
            v_mode.fuzzy,
            v_mode.ef_search,
            array[v_mode.weight_lexical, v_mode.weight_dense, v_mode.weight_fuzzy],
            p_scope => jsonb_strip_nulls(jsonb_build_object('domain', v_domain))
        ) as f
        inner join search.card as c on c.id = f.card_id
        left join selection.utility as u on u.kind = 'passage' and u.ref = c.ref
        order by 6 desc, c.ref
        limit greatest(ask_expert.top, 8)
    ),

    ranked as (
        select
            f.*,
            row_number() over (order by f.score - case when f.of_project then v_lead else 0 end desc, f.ref) as place
        from found as f
    ),

    shown as (
        select
            r.*,
            p.heading,
            p.text,
            n.name as note,
            n.title,
            n.source,
            n.cites,
            n.reviewed_on,
            knowledge.is_stale(n) as is_stale,
            projects.mention(n.project_id) as mention,
            knowledge.vouch(n) as vouched
        from ranked as r
        inner join knowledge.passage as p on p.id = r.ref
        inner join knowledge.note as n on n.id = p.note_id
        where r.place <= ask_expert.top
    )

    select
        knowledge.judge_passages(
            v_goal,
            array_agg(s.ref),
            max(s.dense),
            array(select r.score::real from ranked as r order by r.score desc),
            v_vector
        ) as judged,
        (
            select r.origin from ranked as r group by r.origin order by sum(power(r.score, 4)) desc, r.origin limit 1
        ) as domain,
        round(coalesce(avg((s.vouched -> 'verified')::boolean::integer), 0), 2) as verified,
        round(coalesce(avg((not s.is_stale)::integer), 0), 2) as fresh,
        coalesce(jsonb_agg(
            jsonb_build_object(
                'rank', s.place,
                'name', s.name,
                'ref', s.ref,
                'score', round(least(s.score, 1)::numeric, 4),
                'scores', '{}'::jsonb
            )
            order by s.place
        ), '[]') as offered,
        coalesce(jsonb_agg(
            jsonb_build_object(
                'text', concat(s.mention, s.title, '. ', s.heading, ': ', s.text),
                'title', s.title,
                'note', s.note,
                'heading', s.heading,
                'source', s.source,
                'cites', s.cites,
                'domain', s.origin,
                'reviewed', s.reviewed_on,
                'stale', s.is_stale,
                'score', round(s.score::numeric, 4)
            ) || s.vouched order by s.place
        ), '[]') as passages
    into v_best
    from shown as s;

    v_messages := core.mute_notices();
    for v_hook in select h from core.hooks('question_asked') as h loop
        execute format('select %s($1, $2, $3)', v_hook) into v_more using v_goal, v_vector, v_decision_floor;
        v_decided := v_decided || coalesce(v_more, '[]');
    end loop;
    select coalesce(jsonb_agg(d.told order by d.place), '[]')
    into v_decisions
    from (
        select x.decided -> 'told' as told, x.place
        from jsonb_array_elements(v_decided) with ordinality as x (decided, place)
        where v_domain is null
            or v_domain = any(knowledge.domains_of_card(x.decided ->> 'kind', (x.decided -> 'ref')::bigint))
        order by x.place
        limit 3
    ) as d;
    perform set_config('client_min_messages', v_messages, true);
    v_confidence := case when v_best.passages = '[]' then 0 else (v_best.judged ->> 'confidence')::real end;
    v_passages := case when v_confidence < v_floor then '[]' else v_best.passages end;
    receipt := selection.record_receipt(
        'passage',
        v_goal,
        v_mode.name,
        null,
        case when v_passages = '[]' then '[]' else v_best.offered end,
        (extract(epoch from clock_timestamp() - v_started) * 1000)::real,
        selection.mode_label(v_mode)
    );
    return query select
        v_passages = '[]' and v_decisions = '[]',
        v_confidence,
        v_best.judged - 'confidence' || jsonb_build_object(
            'floor', v_floor,
            'verified', v_best.verified,
            'fresh', v_best.fresh,
            'decisions', jsonb_array_length(v_decisions)
        ),
        coalesce(v_domain, v_best.domain),
        v_decisions,
        v_passages,
        ask_expert.receipt,
        case when v_vector is null then 0 else (select count(*) from knowledge.waiting_passages(v_domain, 1000)) end;
end
$function$;
comment on function api.ask_expert(text, text, ext.vector, integer) is
'Answers a question with cited passages, best first, or says that no note answers the question. Example: `select '
'confidence, expert, jsonb_pretty(passages) from ask_expert(''how do I store passwords'');` Arguments: question: the '
'question; domain: name of a domain, or another word for it, to search only notes of this domain (null: all notes); '
'query_vector: unit vector of the question in the active embedding model (null: the database computes the vector, if '
'the database has an embedding model); top: number of passages (1 to 10). Returns one row with these columns. '
'no_answer: true if no note answers the question. confidence: probability that at least one passage is right. parts: '
'numbers from which the confidence was computed. expert: the given domain, or the domain to which most passages '
'belong. decisions: approved decisions from the caller''s projects that fit the question (if a domain is given: only '
'decisions about this domain), each with the project and its owner. passages: JSON array of {text, title, note, '
'heading, source, cites, domain, project, owner, verified, verified_by, reviewed, stale, score}. If a passage belongs '
'to a project, its text, title and source contain what the project itself states, and the text says so. verified: true '
'if the authors of Quartermaster compared the note with its source. verified_by: who claims that somebody compared the '
'note with its source: quartermaster, or OWNER/NAME of the project. receipt: id of the record of this search. waiting: '
'number of passages (of the domain, if one is given) that were searched by words only, because their vectors are still '
'missing. Counting stops after 1,000 texts. The number is 0 if the question itself has no vector. Raises QM404 '
'domain_not_found, QM413 goal_too_long, QM422 goal_empty, argument_invalid, dimension_mismatch. Can be null: expert.';
alter function api.ask_expert owner to qm_reader;
grant execute on function api.ask_expert to qm_user;
