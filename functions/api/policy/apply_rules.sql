-- api.apply_rules: to try out rules without keeping them, roll back the transaction.
-- Writes: policy.rule_version, policy.rule, rights classes of origins, items and cards, repairs.
create or replace function api.apply_rules(definition jsonb, note text default '', pin boolean default false)
returns jsonb
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select catalog.check_repairs(apply_rules.definition -> 'repairs');
    select catalog.activate_rules(policy.put_version(apply_rules.definition, apply_rules.note), apply_rules.pin);
$function$;
comment on function api.apply_rules(jsonb, text, boolean) is
'Stores a set of rules as a new version and activates this version. Arguments: definition: JSON {default: allow or '
'deny, rules: [{effect, subject, reason, kinds, origins, tools or names, categories, read_only, destructive}], '
'guardrails: [{subject, origins, instructions, personal, secrets, result_bytes}], repairs: [{origin, tool, reason, and '
'the changes of repair_tool}]}; note: note about the new version; pin: true to pin the new version, so that no other '
'version replaces it. If there is a member repairs, all other repairs are taken back; a repair without tool applies to '
'all tools of the origin. Returns JSON {version, previous, changes: [{principal, role, organisation, gained, lost, '
'gains, loses}], repairs: [{tool, member, before, after}]}. The member previous is the version that was active before. '
'The members gained and lost are the numbers of tools that the principal gains and loses. The members gains and loses '
'contain the names of these tools (only some of the names if there are many). The member repairs says what changes in '
'definitions of tools. Raises QM409 rules_pinned, QM422 rules_invalid, repair_invalid.';
grant execute on function api.apply_rules to qm_admin;
