create or replace function api.list_principals()
returns table (
    name text,
    kind text,
    role text,
    organisation text,
    enabled boolean,
    live_keys bigint,
    last_used_at timestamptz,
    database_role text,
    issuer text,
    subject text,
    created_at timestamptz,
    is_curator boolean,
    curates_decisions boolean
)
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    select policy.require_principal();
    select
        p.name, p.kind, p.role, o.name, p.enabled, k.live, k.last_used_at, p.database_role, i.issuer, i.subject,
        p.created_at, p.is_curator, p.curates_decisions
    from policy.principal as p
    left join policy.identity as i on i.principal_id = p.id
    left join policy.organisation as o on o.id = p.organisation_id
    cross join lateral (
        select
            count(*) filter (
                where u.revoked_at is null and (u.expires_at is null or u.expires_at > core.now())
            ) as live,
            max(u.last_used_at) as last_used_at
        from policy.api_key as u
        where u.principal_id = p.id
    ) as k
    order by p.name;
$function$;
comment on function api.list_principals() is
'Lists the principals. Example: `select name, kind, role, enabled from list_principals();` Returns for each '
'principal: the name, kind, role and organisation; whether the principal is enabled; the number of valid keys, and the '
'time at which a key was last used; the database role that acts as the principal; the issuer and the subject of the '
'principal''s tokens; the creation time; whether the principal was appointed to curate lookup tables; and whether the '
'principal may curate decisions. Can be null: organisation, last_used_at, database_role, issuer, subject.';
grant execute on function api.list_principals to qm_admin;
