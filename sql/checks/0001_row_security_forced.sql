-- Summary: every table enables and forces row-level security.
-- Consequence: without row-level security, only grants decide who can read which rows; without
-- force, the owner's security definer functions see every row.
-- Fix: alter table ... enable row level security, force row level security; and add a policy in
-- sql/rls/.
select format('%I.%I', n.nspname, c.relname) as offender
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p')
    and not (c.relrowsecurity and c.relforcerowsecurity);
