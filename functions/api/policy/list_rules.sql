create or replace function api.list_rules()
returns table (
    version integer, is_active boolean, is_pinned boolean, "default" text, rules bigint, note text,
    created_at timestamptz, created_by text, activated_at timestamptz, activated_by text
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select
        v.id,
        v.is_active,
        v.is_pinned,
        v.default_effect,
        (select count(*) from policy.rule as r where r.version_id = v.id),
        v.note,
        v.created_at,
        c.name,
        v.activated_at,
        a.name
    from policy.rule_version as v
    left join policy.principal as c on c.id = v.created_by
    left join policy.principal as a on a.id = v.activated_by
    where policy.require_principal() is not null
    order by v.id desc;
$function$;
comment on function api.list_rules() is
'Lists the versions of the rules. Example: `select version, is_active, activated_at, activated_by from list_rules();` '
'Returns for each version: its number; whether the version is active; whether the '
'version is pinned; the default of the version (allow or deny); the number of its rules; its note; when and by whom '
'the version was created; and when and by whom the version was last activated. Can be null: created_by, activated_at, '
'activated_by.';
grant execute on function api.list_rules to qm_operator;
