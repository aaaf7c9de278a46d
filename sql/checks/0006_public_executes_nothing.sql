-- Summary: PUBLIC may not execute any of our functions.
-- Consequence: any login role of the database server could call the function.
-- Fix: below the function, revoke the right to execute it from public, and grant it to named roles.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole
    and pg_catalog.has_function_privilege('public', p.oid, 'execute');
