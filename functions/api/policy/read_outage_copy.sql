-- api.read_outage_copy: returns what a process must know about principals, rights and origins while the database is
-- away. Definitions of tools are read elsewhere.
-- It is one statement and therefore one snapshot: classes of tools and rights by class must match. Principals to which
-- the same rules apply form a group, so that rights are computed once for each group and door.
-- Definer because the tables of keys and rules are closed to all callers; executable by the service's login only.
create or replace function api.read_outage_copy()
returns jsonb
language sql
stable parallel safe security definer
set search_path = pg_catalog, pg_temp
as $function$
    with grouped as materialized (
        select p.id, p.name, p.role, o.name as organisation, dense_rank() over (order by s.subjects) as rights_group
        from policy.principal as p
        left join policy.organisation as o on o.id = p.organisation_id
        cross join lateral (
            select array_agg(r.subject order by r.subject) as subjects
            from policy.subject_rights as r
            where r.subject = any(policy.subjects_of(p.id))
        ) as s
        where p.enabled
    ),

    doors as (
        select g.rights_group, d.toolset, policy.rights_of(min(g.id), d.toolset) as visible
        from grouped as g
        cross join (select null as toolset union all select t.name from policy.toolset as t) as d
        group by g.rights_group, d.toolset
    )

    select jsonb_build_object(
        'read_at', core.now(),
        'principals', (
            select coalesce(jsonb_agg(jsonb_build_array(g.id, g.name, g.role, g.organisation, g.rights_group) order by g.id), '[]')
            from grouped as g
        ),
        'rights', (select coalesce(jsonb_agg(jsonb_build_array(d.rights_group, d.toolset, d.visible::text)), '[]') from doors as d),
        'keys', (
            select coalesce(jsonb_agg(jsonb_build_array(encode(k.key_hash, 'hex'), k.principal_id, k.expires_at) order by k.id), '[]')
            from policy.api_key as k
            where k.revoked_at is null and (k.expires_at is null or k.expires_at > core.now())
        ),
        'identities', (
            select coalesce(jsonb_agg(jsonb_build_array(i.issuer, i.subject, i.principal_id) order by i.principal_id), '[]')
            from policy.identity as i
        ),
        'origins', (
            select coalesce(
                jsonb_agg(
                    jsonb_build_object(
                        'id', o.id, 'name', o.name, 'transport', o.transport, 'command', o.command, 'url', o.url, 'cwd', o.cwd,
                        'environment', o.environment, 'headers', o.headers, 'auth_reference', o.auth_reference, 'tls', o.tls,
                        'auth', o.auth
                    )
                    order by o.id
                ), '[]'
            )
            from catalog.origin as o
            where o.status <> 'removed'
        ),
        'tools', (
            select coalesce(jsonb_agg(jsonb_build_array(i.id, i.version, i.rights_class, i.origin_id) order by i.id), '[]')
            from catalog.item as i
            where i.kind = 'tool' and i.is_live
        ),
        'assets', (
            select coalesce(
                jsonb_agg(jsonb_build_array(i.kind, i.public_name, i.name, i.rights_class, i.origin_id, i.definition) order by i.public_name, i.kind), '[]'
            )
            from catalog.item as i
            inner join catalog.origin as o on o.id = i.origin_id
            -- Origins get no new doors during an outage, so their instructions are not needed.
            where i.is_live and o.status <> 'removed' and i.kind not in ('tool', 'instructions')
        )
    );
$function$;
comment on function api.read_outage_copy() is
'Returns JSON: read_at; enabled principals (id, name, role, organisation or null, group); rights (group, toolset or '
'null, one bit for each rights class); keys (SHA-256 in hexadecimal, principal, expires); identities (issuer, '
'subject, principal); origins, as api.get_connection returns them, with locators instead of secrets; offered tools '
'(id, version, rights class, origin); offered resources, templates and prompts (kind, public name, name at the '
'origin, rights class, origin, definition).';
grant execute on function api.read_outage_copy to qm_service;
