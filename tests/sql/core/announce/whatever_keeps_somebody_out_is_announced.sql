begin;
select plan(1);

select is(
    (
        select string_agg(g.told, '; ' order by g.told)
        from (
            select t.tgrelid::regclass::text || ': ' || coalesce(string_agg(a.attname, ', ' order by a.attname), 'delete') as told
            from pg_trigger as t
            left join pg_attribute as a on a.attrelid = t.tgrelid and a.attnum = any(t.tgattr)
            where t.tgfoid = 'core.announce'::regproc and encode(t.tgargs, 'escape') like 'qm_principals%'
            group by t.tgrelid
        ) as g
    ),
    'policy.api_key: expires_at, key_hash, principal_id, revoked_at; policy.identity: issuer, principal_id, subject; policy.principal: enabled, role; policy.toolset: delete',
    'changes of keys, identities and principals, and the end of a toolset'
);

select * from finish();
rollback;
