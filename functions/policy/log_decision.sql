-- policy.log_decision: decides for the asking principal, through its toolset, and keeps what was decided and why.
-- An allowed call of a tool is kept by its own row (proxy.call), for which the caller gets what it needs.
-- Writes: policy.decision.
create or replace function policy.log_decision(
    p_principal_id bigint, p_door text, p_kind text, p_ref bigint, p_name text, p_rights_class integer,
    out is_allowed boolean, out toolset text, out version_id integer, out rule integer
)
language plpgsql
volatile parallel unsafe security invoker
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_toolset constant text := policy.toolset_name();
    v_decided constant record := policy.decide(p_principal_id, v_toolset, p_rights_class);
begin
    if v_decided.is_allowed is not true or p_kind <> 'tool' then
        insert into policy.decision (decided_at, principal_id, toolset, door, kind, ref, name, is_allowed, version_id, rule, reason)
        values (
            core.now(), p_principal_id, v_toolset, p_door, p_kind, p_ref, p_name, v_decided.is_allowed, v_decided.version_id, v_decided.rule,
            v_decided.reason
        );
    end if;
    is_allowed := v_decided.is_allowed;
    toolset := v_toolset;
    version_id := v_decided.version_id;
    rule := v_decided.rule;
end
$function$;
comment on function policy.log_decision(bigint, text, text, bigint, text, integer) is
'Arguments: who asks; door (call, describe); kind, row, name and rights class of what was asked for. Returns whether it is allowed, through which toolset it was asked for, the active version of the rules, and the position of the rule that decided.';
