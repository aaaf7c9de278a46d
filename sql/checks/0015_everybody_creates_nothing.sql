-- Summary: unless the database is shared with others, no login can create objects in the schema public.
-- Consequence: the search path of psql names public before api. A function select_tools in public would therefore run
-- with the rights of everybody who calls our function, including administrators.
-- Fix: revoke create on schema public from public, qm_user, qm_operator, as the owner of the schema.
select format('%s may create objects in schema public', r.role) as offender
from pg_catalog.pg_namespace as n
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspname = 'public'
    and pg_catalog.has_schema_privilege(r.role, n.oid, 'create')
    and exists (select from core.capability as c where c.name = 'own_database' and c.installed);
