-- Summary: security definer functions belong to qm_owner or qm_reader, which are not superusers and
-- do not bypass row policies. qm_reader owns operations that read, and nothing else.
-- Consequence: a security definer function that belongs to a superuser ignores all row policies.
-- Fix: alter function ... owner to qm_owner, or, for an operation that reads, to qm_reader.
select p.oid::regprocedure::text as offender
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
inner join pg_catalog.pg_roles as r on r.oid = p.proowner
where
    n.nspowner = 'qm_owner'::regrole
    and (
        r.rolname not in ('qm_owner', 'qm_reader')
        or (r.rolname = 'qm_reader' and not (p.prosecdef and n.nspname in ('api', 'service')))
        or r.rolsuper
        or r.rolbypassrls
    )
union all
select c.oid::regclass::text
from pg_catalog.pg_class as c
where c.relowner = 'qm_reader'::regrole;
