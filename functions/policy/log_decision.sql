-- policy.log_decision: an allowed call of a tool is not logged in this table, because its row in calls.call already
-- names the rule.
-- Writes: policy.decision.
create or replace function policy.log_decision(
    p_principal_id bigint, p_toolset text, p_door text, p_kind text, p_ref bigint, p_name text, p_verdict policy.verdict
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into policy.decision (
        decided_at, principal_id, toolset, door, kind, ref, name, is_allowed, version_id, rule, reason
    )
    values (
        core.now(),
        p_principal_id,
        p_toolset,
        p_door,
        p_kind,
        p_ref,
        p_name,
        p_verdict.is_allowed,
        p_verdict.version_id,
        p_verdict.rule,
        p_verdict.reason
    );
$function$;
comment on function policy.log_decision(bigint, text, text, text, bigint, text, policy.verdict) is
'Logs that a request was allowed or denied. Arguments: p_principal_id: id of the principal; p_toolset: name of the '
'toolset (null: no toolset); p_door: kind of the request: call or describe; p_kind: kind of the requested item; p_ref: '
'id of the item; p_name: name of the item; p_verdict: result of policy.decide.';
