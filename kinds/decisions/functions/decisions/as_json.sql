-- decisions.as_json: lists, exports and imports of decisions use this form.
create or replace function decisions.as_json(p_decision decisions.decision, p_with_excerpts boolean default false)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select jsonb_build_object(
        'id', p_decision.id,
        'pattern', p_decision.pattern,
        'scope', jsonb_build_object('kind', p_decision.scope_kind, 'value', p_decision.scope_value),
        'polarity', p_decision.polarity,
        'instead', p_decision.instead,
        'rationale', p_decision.rationale,
        'applies_when', p_decision.applies_when,
        'rejected_alternatives', p_decision.rejected_alternatives,
        'keywords', p_decision.keywords,
        'confidence', p_decision.confidence,
        'status', p_decision.status,
        'health', p_decision.health,
        'health_reason', p_decision.health_reason,
        'origin', p_decision.origin,
        'miner', p_decision.miner,
        'check', p_decision.check_definition,
        'statistics', p_decision.statistics,
        'importance', p_decision.importance,
        'valid_from', p_decision.valid_from,
        'last_verified', p_decision.last_verified,
        'superseded_by', p_decision.superseded_by,
        'suspicion', p_decision.suspicion,
        'created_at', p_decision.created_at,
        'evidence', decisions.evidence_of(p_decision.id, null, p_with_excerpts)
    );
$function$;
comment on function decisions.as_json(decisions.decision, boolean) is
'Converts a decision to JSON. Arguments: p_decision: the decision; p_with_excerpts: true if the evidence is to include '
'ids and excerpts. Returns a JSON object with the columns of the decision. In this object, scope is an object {kind, '
'value}, and evidence is an array.';
grant execute on function decisions.as_json to qm_reader;
