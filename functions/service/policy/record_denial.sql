-- service.record_denial: the service calls this function after an error of api.describe_tool or api.describe_card,
-- because the error rolls back everything that was written in its own transaction. Nothing is logged if the item is
-- visible or does not exist.
-- Writes: policy.decision.
create or replace function service.record_denial(name text, kind text default null)
returns void
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_principal_id constant bigint := policy.require_service();
    v_toolset constant text := policy.toolset_name();
begin
    perform policy.log_decision(v_principal_id, v_toolset, 'describe', i.kind, i.id, i.public_name, d)
    from catalog.item as i
    cross join lateral policy.decide(v_principal_id, v_toolset, i.rights_class) as d
    where i.kind = coalesce(record_denial.kind, search.default_kind())
        and i.public_name = record_denial.name
        and policy.is_visible(i.rights_class, (select policy.visible_classes())) is not true;
end
$function$;
comment on function service.record_denial(text, text) is
'Logs that a request for a description was denied. Arguments: name: the name for which describe_tool or describe_card '
'found no card; kind: kind of the card (null: the default kind). Returns nothing.';
grant execute on function service.record_denial to qm_user;
