-- api.submit_proposals: a valid proposal becomes a candidate with the evidence of the packet. An invalid proposal is
-- refused, and the refusal is stored.
-- Writes: decisions.packet, decisions.decision, decisions.evidence, decisions.link, decisions.refusal.
create or replace function api.submit_proposals(packet bigint, items jsonb, project text default null)
returns table (place integer, decision bigint, outcome text, reason text)
language plpgsql
volatile parallel unsafe security definer
rows 10
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_project_id constant integer := projects.find(submit_proposals.project);
    v_packet decisions.packet;
    v_candidates jsonb;
    v_problems text[];
begin
    if jsonb_typeof(submit_proposals.items) is distinct from 'array'
        or jsonb_array_length(submit_proposals.items) > 20
    then
        perform core.fail(
            'argument_invalid', 'items must be an array of at most 20 objects', null, 'Send only the best proposals.'
        );
    end if;
    select k.*
    into v_packet
    from decisions.packet as k
    where k.id = submit_proposals.packet and k.project_id = v_project_id;
    if v_packet.id is null then
        perform core.fail(
            'packet_not_found',
            format('the project has no packet of evidence with the number %s', submit_proposals.packet)
        );
    end if;
    select
        jsonb_agg(
            case when p.problem is null then decisions.candidate_of(v_packet, i.item) else i.item end order by i.place
        ),
        array_agg(p.problem order by i.place)
    into v_candidates, v_problems
    from jsonb_array_elements(submit_proposals.items) with ordinality as i (item, place)
    cross join lateral (select decisions.proposal_problem(i.item, v_packet.evidence) as problem) as p;
    return query
    select s.place, s.decision, s.outcome, s.reason
    from decisions.put_candidates(v_project_id, coalesce(v_candidates, '[]'), v_problems, true) as s;
    update decisions.packet as k
    set answered_at = core.now(), answered_by = policy.principal_id()
    where k.id = v_packet.id;
end
$function$;
comment on function api.submit_proposals(bigint, jsonb, text) is
'Checks decisions that a model proposes after it has read a packet of evidence. Each proposal is accepted or refused '
'separately. Arguments: packet: number of the packet; items: JSON array of at most 20 proposals {pattern, scope: '
'{kind, value}, polarity, rationale, instead, applies_when, rejected_alternatives, keywords, evidence: array of at '
'least two ids of evidence in the packet}; project: the project, as NAME or OWNER/NAME (null: your only project). '
'Returns for each proposal, in the given order: its position, the id of the candidate, the outcome (added or refused), '
'and the reason if the proposal was refused. Raises QM404 project_not_found, packet_not_found, QM409 '
'project_ambiguous, QM422 argument_invalid. Can be null: decision, reason.';
grant execute on function api.submit_proposals to qm_user;
