-- decisions.put_candidate: stores one candidate. A decision that the project has already is not stored twice: it gets the
-- new evidence and numbers. One that was rejected stays rejected.
-- Writes: decisions.decision, decisions.evidence, decisions.refusal.
create or replace function decisions.put_candidate(
    p_project_id integer, p_candidate jsonb, out decision bigint, out outcome text, out reason text
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_now constant timestamptz := core.now();
    v_kind constant text := p_candidate #>> '{scope,kind}';
    v_value constant text := coalesce(p_candidate #>> '{scope,value}', '');
    v_polarity constant text := coalesce(p_candidate ->> 'polarity', 'do');
    v_check constant jsonb := nullif(p_candidate -> 'check', 'null');
    v_known decisions.decision;
begin
    reason := decisions.candidate_problem(p_candidate);
    if reason is null then
        select d.* into v_known
        from decisions.decision as d
        where d.project_id = p_project_id
            and (
                d.fingerprint = decisions.fingerprint(v_kind, v_value, v_polarity, p_candidate ->> 'pattern')
                or (d.check_definition = v_check and d.scope_kind = v_kind and d.scope_value = v_value and d.polarity = v_polarity)
            )
        order by d.status = 'canonical' desc, d.id
        limit 1;
        if v_known.status = 'rejected' then
            reason := coalesce(
                (
                    select 'it was rejected' || coalesce(': ' || nullif(r.reason, ''), '') from decisions.review as r
                    where r.decision_id = v_known.id and r.action in ('reject', 'merge')
                    order by r.id desc
                    limit 1
                ), 'it was rejected'
            );
        end if;
    end if;
    if reason is not null then
        insert into decisions.refusal (project_id, at, principal_id, pattern, miner, reason)
        values (p_project_id, v_now, policy.principal_id(), left(coalesce(p_candidate ->> 'pattern', ''), 500), left(p_candidate ->> 'miner', 100), reason);
        outcome := 'refused';
        return;
    end if;

    if v_known.id is not null then
        decision := v_known.id;
        outcome := 'known';
        update decisions.decision as d
        set
            statistics = case when p_candidate ->> 'origin' = 'bootstrap' then coalesce(nullif(p_candidate -> 'statistics', 'null'), d.statistics) else d.statistics end,
            importance = case when p_candidate ->> 'origin' = 'bootstrap' then coalesce((p_candidate ->> 'importance')::real, d.importance) else d.importance end,
            updated_at = v_now
        where d.id = decision;
    else
        outcome := 'added';
        insert into decisions.decision (
            project_id, pattern, scope_kind, scope_value, polarity, instead, rationale, applies_when, rejected_alternatives, keywords, confidence,
            origin, miner, check_definition, statistics, importance, valid_from, suspicion, created_at, created_by, updated_at, fingerprint
        )
        values (
            p_project_id, p_candidate ->> 'pattern', v_kind, v_value, v_polarity, coalesce(p_candidate ->> 'instead', ''),
            coalesce(p_candidate ->> 'rationale', ''), coalesce(p_candidate ->> 'applies_when', ''),
            array(select jsonb_array_elements_text(coalesce(p_candidate -> 'rejected_alternatives', '[]'))),
            array(select jsonb_array_elements_text(coalesce(p_candidate -> 'keywords', '[]'))),
            coalesce(p_candidate ->> 'confidence', 'low'), coalesce(p_candidate ->> 'origin', 'agent_submitted'), left(p_candidate ->> 'miner', 100),
            v_check, coalesce(nullif(p_candidate -> 'statistics', 'null'), '{}'), coalesce((p_candidate ->> 'importance')::real, 0),
            substring(p_candidate ->> 'valid_from' from '^[0-9a-f]{1,64}$'), decisions.suspicion(p_candidate), v_now, policy.principal_id(), v_now,
            decisions.fingerprint(v_kind, v_value, v_polarity, p_candidate ->> 'pattern')
        )
        returning id into decision;
    end if;
    perform decisions.put_evidence(decision, p_candidate -> 'evidence');
end
$function$;
comment on function decisions.put_candidate(integer, jsonb) is
'Stores one candidate. Arguments: p_project_id: the project; p_candidate: as in api.put_candidates. Returns the id of the '
'decision, the outcome (added, known or refused), and why it was refused.';
