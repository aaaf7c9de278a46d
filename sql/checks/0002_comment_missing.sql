-- Summary: every table and every function has a comment.
-- Consequence: the reference is generated from these comments, so an object without a comment is
-- missing there.
-- Fix: comment on ... is '...', in the same file.
select format('%I.%I', n.nspname, c.relname) as offender
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
where
    n.nspowner = 'qm_owner'::regrole
    and c.relkind in ('r', 'p', 'v')
    and pg_catalog.obj_description(c.oid, 'pg_class') is null
union all
select p.oid::regprocedure::text
from pg_catalog.pg_proc as p
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
where
    n.nspowner = 'qm_owner'::regrole
    and pg_catalog.obj_description(p.oid, 'pg_proc') is null;
