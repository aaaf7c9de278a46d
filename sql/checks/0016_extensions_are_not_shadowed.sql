-- Summary: in the schemas of the extensions, only superusers and roles that may act as qm_owner can create objects.
-- Consequence: PostgreSQL may choose a function or an operator that somebody creates there instead of the one of the
-- extension. Our functions then run it with the rights of qm_owner.
-- Fix: do one of four things. Install with the login of that role. Or revoke the right to create (revoke create on
-- schema NAME from ROLE, as the owner of the schema; if ROLE owns the schema: alter schema NAME owner to LOGIN). Or
-- move the extension (alter extension NAME set schema ext). Or give Quartermaster a database of its own.
with extension as (
    select e.extnamespace
    from pg_catalog.pg_extension as e
    where e.extname = any('{vector,pg_trgm,unaccent}')
),

creator as (
    select
        n.nspname,
        a.grantee
    from pg_catalog.pg_namespace as n
    cross join
        pg_catalog.aclexplode(
            coalesce(n.nspacl, pg_catalog.acldefault('n', n.nspowner))
        ) as a
    where
        a.privilege_type = 'CREATE'
        and (
            n.oid in (select e.extnamespace from extension as e)
            -- Missing ones are created there.
            or (n.nspname = 'ext' and (select count(*) from extension) < 3)
        )
)

select format('public may create objects in schema %I', c.nspname) as offender
from creator as c
where c.grantee = 0
union
select format('%I may create objects in schema %I', r.rolname, c.nspname)
from creator as c
inner join pg_catalog.pg_roles as r on pg_catalog.pg_has_role(r.oid, c.grantee, 'member')
where
    c.grantee <> 0
    and r.rolcanlogin
    and not r.rolsuper
    and not pg_catalog.pg_has_role(r.oid, 'qm_owner', 'member')
order by offender;
