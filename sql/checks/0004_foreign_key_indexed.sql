-- Summary: every foreign key has an index that starts with its columns.
-- Consequence: without such an index, deleting or updating the referenced row reads the whole
-- table.
-- Fix: create index on the referencing columns.
select format('%s: %s', k.conrelid::regclass, k.conname) as offender
from pg_catalog.pg_constraint as k
inner join pg_catalog.pg_namespace as n on n.oid = k.connamespace
where
    k.contype = 'f'
    and n.nspowner = 'qm_owner'::regrole
    and not exists (
        select
        from pg_catalog.pg_index as i
        where
            i.indrelid = k.conrelid
            and i.indpred is null
            and (i.indkey::smallint[])[0:pg_catalog.cardinality(k.conkey) - 1] @> k.conkey
    );
