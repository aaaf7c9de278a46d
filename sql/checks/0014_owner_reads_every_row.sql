-- Summary: the owner may read every row of every table and partition.
-- Consequence: pg_dump --role=qm_owner --enable-row-security leaves out the rows that the owner may not read, and
-- reports no error.
-- Fix: create policy owner_reads on ... for select to qm_owner using (true).
select format('%I.%I', n.nspname, c.relname) as offender
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p')
    and not exists (
        select from pg_catalog.pg_policy as p
        where
            p.polrelid = c.oid
            and p.polpermissive
            and p.polcmd in ('r', '*')
            and 'qm_owner'::regrole = any(p.polroles)
            and pg_catalog.pg_get_expr(p.polqual, p.polrelid) = 'true'
    )
union all
select format('%I.%I has the restrictive policy %I', n.nspname, c.relname, p.polname)
from pg_catalog.pg_policy as p
inner join pg_catalog.pg_class as c on c.oid = p.polrelid
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    n.nspowner = 'qm_owner'::regrole
    and not p.polpermissive
    and 'qm_owner'::regrole = any(p.polroles);
