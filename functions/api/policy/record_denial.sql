-- api.record_denial: logs that rights denied a request for a description. It logs nothing if the item is visible or
-- does not exist.
-- The error of describe_tool rolls back its own transaction, so the service calls this afterwards.
-- Definer because only this function and api.call_begin may write decisions.
-- Writes: policy.decision.
create or replace function api.record_denial(name text, kind text default 'tool')
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_principal();
    v_toolset constant text := policy.toolset_name();
begin
    perform policy.log_decision(v_principal_id, v_toolset, 'describe', i.kind, i.id, i.public_name, d)
    from catalog.item as i
    cross join lateral policy.decide(v_principal_id, v_toolset, i.rights_class) as d
    where i.kind = record_denial.kind
        and i.public_name = record_denial.name
        and policy.is_visible(i.rights_class, (select policy.visible_classes())) is not true;
end
$function$;
comment on function api.record_denial(text, text) is
'Arguments: name that describe_tool or describe_card did not find; its kind. Returns nothing.';
grant execute on function api.record_denial to qm_user;
