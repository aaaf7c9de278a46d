-- Writes: policy.rule_version.
create or replace function api.pin_rules(pinned boolean)
returns integer
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
declare
    v_id integer;
begin
    perform policy.require_principal();
    update policy.rule_version as v
    set is_pinned = pin_rules.pinned
    where v.is_active
    returning v.id into v_id;
    return v_id;
end
$function$;
comment on function api.pin_rules(boolean) is
'Pins or unpins the active version of the rules. No other version can replace a pinned version. Argument pinned: true '
'to pin the version, false to unpin the version. Returns the number of the version.';
grant execute on function api.pin_rules to qm_admin;
