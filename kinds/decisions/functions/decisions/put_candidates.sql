-- decisions.put_candidates: if the project already has a decision that is identical to a candidate, the function only
-- adds the new evidence to this decision, and updates its statistics and its importance. A rejected decision stays
-- rejected.
-- Writes: decisions.decision, decisions.evidence, decisions.link, decisions.refusal.
create or replace function decisions.put_candidates(
    p_project_id integer, p_candidates jsonb, p_problems text[] default '{}', p_only_new boolean default false
)
returns table (place integer, decision bigint, outcome text, reason text)
language plpgsql
volatile parallel unsafe security invoker
rows 100
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_stored jsonb;
    v_added bigint[];
begin
    perform from projects.project as p where p.id = p_project_id for update; -- one batch at a time
    with judged as materialized (
        select j.* from decisions.judge_candidates(p_project_id, p_candidates, p_problems, p_only_new) as j
    ),

    refused as (
        insert into decisions.refusal (project_id, at, principal_id, pattern, miner, reason)
        select
            p_project_id, v_now, policy.principal_id(), left(coalesce(j.candidate ->> 'pattern', ''), 500),
            left(j.candidate ->> 'miner', 100), j.reason
        from judged as j
        where j.reason is not null
        order by j.place
    ),

    updated as (
        update decisions.decision as d
        set
            statistics = case
                when n.candidate ->> 'origin' = 'bootstrap'
                    then coalesce(nullif(n.candidate -> 'statistics', 'null'), d.statistics)
                else d.statistics
            end,
            importance = case
                when n.candidate ->> 'origin' = 'bootstrap'
                    then coalesce((n.candidate ->> 'importance')::real, d.importance)
                else d.importance
            end,
            updated_at = v_now
        from (
            select distinct on (j.known) j.known, j.candidate
            from judged as j
            where j.reason is null and j.known is not null
            order by j.known, j.place desc
        ) as n
        where d.id = n.known
    ),

    added as (
        insert into decisions.decision (
            project_id, pattern, scope_kind, scope_value, polarity, instead, rationale, applies_when,
            rejected_alternatives, keywords, confidence, origin, miner, check_definition, statistics, importance,
            valid_from, created_at, created_by, updated_at, fingerprint
        )
        select
            p_project_id,
            j.candidate ->> 'pattern',
            j.candidate #>> '{scope,kind}',
            coalesce(j.candidate #>> '{scope,value}', ''),
            coalesce(j.candidate ->> 'polarity', 'do'),
            coalesce(j.candidate ->> 'instead', ''),
            coalesce(j.candidate ->> 'rationale', ''),
            coalesce(j.candidate ->> 'applies_when', ''),
            array(select jsonb_array_elements_text(coalesce(j.candidate -> 'rejected_alternatives', '[]'))),
            array(select jsonb_array_elements_text(coalesce(j.candidate -> 'keywords', '[]'))),
            coalesce(j.candidate ->> 'confidence', 'low'),
            coalesce(j.candidate ->> 'origin', 'agent_submitted'),
            left(j.candidate ->> 'miner', 100),
            nullif(j.candidate -> 'check', 'null'),
            coalesce(nullif(j.candidate -> 'statistics', 'null'), '{}'),
            coalesce((j.candidate ->> 'importance')::real, 0),
            substring(j.candidate ->> 'valid_from' from '^[0-9a-f]{1,64}$'),
            v_now,
            policy.principal_id(),
            v_now,
            j.fingerprint
        from judged as j
        where j.reason is null and j.known is null and j.first = j.place
        order by j.place
        returning id, decision.fingerprint
    )

    select jsonb_agg(
        jsonb_build_object(
            'place', j.place,
            'decision', case when j.reason is null then coalesce(j.known, a.id, f.known) end,
            'outcome', case
                when j.reason is not null then 'refused'
                when j.known is null and j.first = j.place then 'added'
                else 'known'
            end,
            'reason', j.reason,
            'evidence', j.candidate -> 'evidence'
        )
        order by j.place
    )
    into v_stored
    from judged as j
    left join judged as f on f.place = j.first
    left join added as a on a.fingerprint = f.fingerprint;

    v_added := array(
        select s.decision
        from jsonb_to_recordset(coalesce(v_stored, '[]')) as s (decision bigint, outcome text)
        where s.outcome = 'added'
        order by 1
    );
    perform decisions.put_evidence(array_agg(s.decision order by s.place), array_agg(s.evidence order by s.place))
    from jsonb_to_recordset(coalesce(v_stored, '[]')) as s (place integer, decision bigint, evidence jsonb)
    where s.decision is not null
    having count(*) > 0;
    perform decisions.scan(v_added);
    perform decisions.link_decisions(v_added);
    return query
    select s.place, s.decision, s.outcome, s.reason
    from jsonb_to_recordset(coalesce(v_stored, '[]')) as s (place integer, decision bigint, outcome text, reason text)
    order by s.place;
end
$function$;
comment on function decisions.put_candidates(integer, jsonb, text[], boolean) is
'Stores proposed decisions (candidates). Arguments: p_project_id: id of the project; p_candidates: the candidates, as '
'in api.put_candidates; p_problems: reason why the caller refuses each candidate (null: not refused); p_only_new: true '
'to refuse candidates that the project already has. Returns for each candidate, in the given order: the number of the '
'candidate; the id of the decision; the outcome (added, known or refused); the reason for a refusal.';
