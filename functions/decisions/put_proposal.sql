-- decisions.put_proposal: stores one proposal that a model made from a packet, or refuses it. Its evidence, origin and
-- confidence never come from the model.
-- Writes: decisions.decision, decisions.evidence, decisions.refusal.
create or replace function decisions.put_proposal(
    p_packet decisions.packet, p_item jsonb, out decision bigint, out outcome text, out reason text
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_taken constant text[] := '{pattern,scope,polarity,rationale,instead,applies_when,rejected_alternatives,keywords}'::text[];
    v_candidate jsonb;
begin
    reason := decisions.proposal_problem(p_item, p_packet.evidence);
    if reason is null then
        select jsonb_object_agg(m.name, m.value) into v_candidate
        from jsonb_each(p_item) as m (name, value)
        where m.name = any(v_taken);
        v_candidate := v_candidate || jsonb_build_object(
            'origin', 'agent_submitted', 'confidence', 'low', 'valid_from', p_packet.commit_hash,
            -- what rests on more evidence comes earlier; the best that miners count comes before all of it
            'importance', 3 + 2 * least((select count(distinct c.id) from jsonb_array_elements_text(p_item -> 'evidence') as c (id)), 4),
            'evidence', (
                select jsonb_agg(
                    e.piece - 'id' - 'level' - 'text' || jsonb_build_object('excerpt', left(e.piece ->> 'text', 1000), 'role', 'supports')
                    order by e.place
                )
                from jsonb_array_elements(p_packet.evidence) with ordinality as e (piece, place)
                where p_item -> 'evidence' ? (e.piece ->> 'id')
            )
        );
        if exists (
            select from decisions.decision as d
            where d.project_id = p_packet.project_id
                and d.status <> 'rejected'
                and d.fingerprint = decisions.fingerprint(
                    v_candidate #>> '{scope,kind}', coalesce(v_candidate #>> '{scope,value}', ''),
                    coalesce(v_candidate ->> 'polarity', 'do'), v_candidate ->> 'pattern'
                )
        ) then
            reason := 'it is not new: the project knows this decision already';
        end if;
    end if;
    if reason is null then
        select s.decision, s.outcome, s.reason into decision, outcome, reason
        from decisions.put_candidate(p_packet.project_id, v_candidate) as s;
        return;
    end if;
    outcome := 'refused';
    insert into decisions.refusal (project_id, at, principal_id, pattern, reason)
    values (p_packet.project_id, core.now(), policy.principal_id(), left(coalesce(p_item ->> 'pattern', ''), 500), reason);
end
$function$;
comment on function decisions.put_proposal(decisions.packet, jsonb) is
'Stores one proposal that a model made from a packet, or refuses it. Arguments: p_packet: the packet; p_item: as in '
'api.submit_proposals. Returns the id of the candidate, the outcome (added or refused), and why it was refused.';
