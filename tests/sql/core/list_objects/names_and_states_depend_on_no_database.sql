begin;
select plan(4);

select set_has(
    'select o.kind, o.name from core.list_objects() as o',
    $$values
        ('table', 'catalog.item'), ('function', 'core.now()'), ('row security of', 'catalog.item'),
        ('constraint', 'item_pkey on catalog.item'), ('trigger', 'audited on catalog.item'), ('role', 'qm_reader'),
        ('database', 'search_path'), ('extension', 'vector')$$,
    'lists what an installation makes'
);
select set_eq(
    $$select o.name from core.list_objects() as o where o.kind = 'schema'$$,
    $$select n.nspname::text from pg_namespace as n where n.nspowner = 'qm_owner'::regrole$$,
    'in each of our schemas'
);
select is_empty(
    $$select o.name from core.list_objects() as o where o.name ~ '_([0-9]{4}_[0-9]{2}|default)($|\.)' and o.kind = 'table'$$,
    'not the partitions that the service makes'
);
select is_empty(
    $$select o.kind, o.name from core.list_objects() as o group by 1, 2 having count(*) > 1$$,
    'each object once'
);

select * from finish();
rollback;
