-- Summary: security definer functions belong to qm_owner, which is not a superuser and does not
-- bypass row policies.
-- Consequence: a security definer function that belongs to a superuser ignores all row policies.
-- Fix: alter function ... owner to qm_owner.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
inner join pg_catalog.pg_roles as r on r.oid = p.proowner
where
    n.nspowner = 'qm_owner'::regrole
    and (r.rolname <> 'qm_owner' or r.rolsuper or r.rolbypassrls);
