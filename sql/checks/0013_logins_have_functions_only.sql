-- Summary: qm_user and qm_operator may run operations, and read views of the schema api that only call operations. They
-- read no table.
-- Consequence: a login that may read a table can count and find its hidden rows, because plans and statistics are
-- computed from all rows.
-- Fix: grant the table to qm_reader and qm_admin (policy.let_read), and other functions to qm_reader. A view of the
-- schema api is security_invoker, and reads operations instead of tables.
select format('%s may use schema %I', r.role, n.nspname) as offender
from pg_catalog.pg_namespace as n
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspowner = 'qm_owner'::regrole
    and n.nspname not in ('api', 'service')
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
    and not (
        c.relkind = 'v'
        and n.nspname = 'api'
        and not pg_catalog.has_any_column_privilege(r.role, c.oid, 'insert, update')
        and coalesce(c.reloptions @> array['security_invoker=true'], false)
        and not exists (
            select
            from pg_catalog.pg_rewrite as w
            inner join pg_catalog.pg_depend as d
                on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
            where
                w.ev_class = c.oid
                and d.refclassid = 'pg_catalog.pg_class'::regclass
                and d.refobjid <> c.oid
        )
    )
union all
select format('%s may run %s', r.role, p.oid::regprocedure)
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
cross join unnest('{qm_user,qm_operator}'::text[]) as r (role)
where
    n.nspowner = 'qm_owner'::regrole
    and (n.nspname not in ('api', 'service') or not p.prosecdef)
    and pg_catalog.has_function_privilege(r.role, p.oid, 'execute');
