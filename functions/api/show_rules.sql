-- api.show_rules: a version of the rules, in the form in which it was given; executable by operators.
-- Raises: QM404 rules_not_found.
create or replace function api.show_rules(version integer default null)
returns jsonb
language sql
stable parallel safe security invoker
set search_path = pg_catalog, pg_temp
as $function$
    select policy.version_document(coalesce(show_rules.version, (select v.id from policy.rule_version as v where v.is_active)));
$function$;
comment on function api.show_rules(integer) is
'Argument: number of the version, default the active one. JSON {version, note, default, is_active, is_pinned, created_at, rules: [{effect, subject, reason, ...}]}.';
