-- Summary: qm_user and qm_operator may run operations, and read no table.
-- Consequence: who may read a table can count and find the rows that are hidden from him, because plans and statistics
-- tell of all rows.
-- Fix: grant the table to qm_reader and qm_admin (policy.let_read), and other functions to qm_reader.
select format('%s may use schema %I', r.role, n.nspname) as offender
from pg_catalog.pg_namespace as n
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspowner = 'qm_owner'::regrole
    and n.nspname <> 'api'
    and pg_catalog.has_schema_privilege(r.role, n.oid, 'usage')
union all
select format('%s may read %s', r.role, c.oid::regclass)
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p', 'v', 'm')
    and pg_catalog.has_any_column_privilege(r.role, c.oid, 'select, insert, update')
union all
select format('%s may run %s', r.role, p.oid::regprocedure)
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspowner = 'qm_owner'::regrole
    and (n.nspname <> 'api' or not p.prosecdef)
    and pg_catalog.has_function_privilege(r.role, p.oid, 'execute');
