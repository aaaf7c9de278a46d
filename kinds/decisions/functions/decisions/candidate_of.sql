-- decisions.candidate_of: a model could invent evidence. Therefore, the function takes evidence, origin and confidence
-- from the packet and not from the proposal.
create or replace function decisions.candidate_of(p_packet decisions.packet, p_item jsonb)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_object_agg(m.name, m.value) filter (
        where m.name = any(
            '{pattern,scope,polarity,rationale,instead,applies_when,rejected_alternatives,keywords}'::text[]
        )
    ) || jsonb_build_object(
        'origin', 'agent_submitted',
        'confidence', 'low',
        'valid_from', p_packet.commit_hash,
        -- what rests on more evidence comes earlier; the best that miners count comes before all of it
        'importance', 3 + 2 * least(
            (select count(distinct c.id) from jsonb_array_elements_text(p_item -> 'evidence') as c (id)), 4
        ),
        'evidence', (
            select jsonb_agg(
                e.piece - 'id' - 'level' - 'text'
                    || jsonb_build_object('excerpt', left(e.piece ->> 'text', 1000), 'role', 'supports')
                order by e.place
            )
            from jsonb_array_elements(p_packet.evidence) with ordinality as e (piece, place)
            where p_item -> 'evidence' ? (e.piece ->> 'id')
        )
    )
    from jsonb_each(p_item) as m (name, value);
$function$;
comment on function decisions.candidate_of(decisions.packet, jsonb) is
'Turns a valid proposal into a candidate (a decision that nobody has approved yet). Arguments: p_packet: packet of '
'evidence from which a model made the proposal; p_item: the proposal, as in api.submit_proposals. Returns the '
'candidate in the form that api.put_candidates takes.';
