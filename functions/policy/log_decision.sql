-- policy.log_decision: keeps what was decided for the asking principal, and why.
-- Writes: policy.decision.
create or replace function policy.log_decision(p_door text, p_kind text, p_ref bigint, p_name text, p_rights_class integer)
returns boolean
language sql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    insert into policy.decision (decided_at, principal_id, toolset, door, kind, ref, name, is_allowed, version_id, rule, reason)
    select core.now(), a.principal_id, a.toolset, p_door, p_kind, p_ref, p_name, d.is_allowed, d.version_id, d.rule, d.reason
    from (select policy.principal_id() as principal_id, policy.toolset_name() as toolset) as a
    cross join lateral policy.decide(a.principal_id, a.toolset, p_rights_class) as d
    returning is_allowed;
$function$;
comment on function policy.log_decision(text, text, bigint, text, integer) is
'Arguments: door (call, describe); kind, row, name and rights class of what was asked for. Returns whether it is allowed.';
