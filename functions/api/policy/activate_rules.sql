-- api.activate_rules: a version of the rules that is there already holds again; without a number the one that held before.
-- Definer because rules are written here only; executable by administrators.
-- Raises: QM404 rules_not_found, QM409 rules_pinned.  Writes: policy.rule_version, rights classes everywhere.
create or replace function api.activate_rules(version integer default null, pin boolean default false)
returns jsonb
language plpgsql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
begin
    perform policy.require_principal();
    return catalog.activate_rules(
        coalesce(
            activate_rules.version,
            (
                select v.id from policy.rule_version as v
                where not v.is_active and v.activated_at is not null
                order by v.activated_at desc, v.id desc limit 1
            )
        ),
        activate_rules.pin
    );
end
$function$;
comment on function api.activate_rules(integer, boolean) is
'Arguments: number of the version, default the one that held before; pin, so that no other version replaces it. Returns what apply_rules returns.';
grant execute on function api.activate_rules to qm_admin;
