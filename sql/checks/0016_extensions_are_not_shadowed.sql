-- Summary: who can create objects in the schemas of the extensions may act as qm_owner anyway, or is a superuser.
-- Consequence: a function or an operator that somebody makes there can fit a call of our functions better than that of
-- the extension, and runs with the rights of qm_owner.
-- Fix: install with the login of that role, take the right to create away (revoke create on schema NAME from ROLE, as its
-- owner; if it belongs to ROLE: alter schema NAME owner to LOGIN), move the extension (alter extension NAME set schema
-- ext), or give Quartermaster a database of its own.
select distinct format('%s may create objects in schema %I', coalesce(quote_ident(r.rolname), 'public'), n.nspname) as offender
from pg_catalog.pg_namespace as n
cross join lateral pg_catalog.aclexplode(coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))) as a
left join pg_catalog.pg_roles as r
    on a.grantee <> 0
    and r.rolcanlogin
    and not r.rolsuper
    and pg_catalog.pg_has_role(r.oid, a.grantee, 'member')
    and not pg_catalog.pg_has_role(r.oid, 'qm_owner', 'member')
where
    a.privilege_type = 'CREATE'
    and (a.grantee = 0 or r.oid is not null)
    and (
        n.oid in (select e.extnamespace from pg_catalog.pg_extension as e where e.extname = any('{vector,pg_trgm,unaccent}'))
        -- Missing ones are created there.
        or n.nspname = 'ext' and 3 > (
            select count(*) from pg_catalog.pg_extension as e where e.extname = any('{vector,pg_trgm,unaccent}')
        )
    )
order by offender;
