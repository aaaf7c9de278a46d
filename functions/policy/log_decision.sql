-- policy.log_decision: keeps what was decided, for whom, and why.
-- An allowed call of a tool is not kept here: its own row (calls.call) says by which rule.
-- Writes: policy.decision.
create or replace function policy.log_decision(
    p_principal_id bigint, p_toolset text, p_door text, p_kind text, p_ref bigint, p_name text, p_verdict policy.verdict
)
returns void
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into policy.decision (decided_at, principal_id, toolset, door, kind, ref, name, is_allowed, version_id, rule, reason)
    values (
        core.now(), p_principal_id, p_toolset, p_door, p_kind, p_ref, p_name, p_verdict.is_allowed, p_verdict.version_id, p_verdict.rule,
        p_verdict.reason
    );
$function$;
comment on function policy.log_decision(bigint, text, text, text, bigint, text, policy.verdict) is
'Arguments: who asked; through which toolset; at which door (call, describe); kind, row and name of what was asked for; policy.decide''s verdict.';
