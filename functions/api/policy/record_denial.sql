-- api.record_denial: keeps that a description was asked for which rights deny; of what is not there, or is seen, nothing is kept.
-- The error of describe_tool undoes what its own transaction wrote, so the service says it afterwards.
-- Definer because decisions are written here and in api.call_begin only.
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
comment on function api.record_denial(text, text) is 'Arguments: name that describe_tool or describe_card did not find; its kind. Says nothing.';
grant execute on function api.record_denial to qm_user;
