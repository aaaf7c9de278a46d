-- Summary: PUBLIC may execute none of our functions.
-- Consequence: any login role of the cluster could call the function.
-- Fix: revoke it from public below the function, and grant it by name.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole
    and pg_catalog.has_function_privilege('public', p.oid, 'execute');
