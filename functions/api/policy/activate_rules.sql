-- Writes: policy.rule_version, rights classes of origins, items and cards, repairs.
create or replace function api.activate_rules(version integer default null, pin boolean default false)
returns jsonb
language sql
volatile parallel unsafe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select catalog.activate_rules(
        coalesce(
            activate_rules.version,
            (
                select v.id
                from policy.rule_version as v
                where not v.is_active and v.activated_at is not null
                order by v.activated_at desc, v.id desc
                limit 1
            )
        ),
        activate_rules.pin
    );
$function$;
comment on function api.activate_rules(integer, boolean) is
'Activates an existing version of the rules. Arguments: version: number of the version (default: the version that was '
'active before the present version); pin: true to pin this version, so that no other version replaces it. Returns the '
'same JSON as apply_rules. Raises QM404 rules_not_found, QM409 rules_pinned, QM422 repair_invalid. Can be null: '
'result.';
grant execute on function api.activate_rules to qm_admin;
