-- Summary: every function pins its search_path, except the predicates that must be inlined.
-- Consequence: with an unpinned path, a caller can put an object of its own in the place of
-- another.
-- Fix: set search_path = pg_catalog, pg_temp.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole
    and p.prokind <> 'a' -- an aggregate has no path, but its functions have one
    and not coalesce(p.proconfig @> array['search_path=pg_catalog, pg_temp'], false)
    and p.oid::regproc::text <> 'policy.is_visible';
