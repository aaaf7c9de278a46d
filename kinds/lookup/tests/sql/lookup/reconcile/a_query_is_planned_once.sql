begin;
select plan(1);

-- Planning these statements anew for each query took a quarter of its time.
select set_eq(
    $$select n.nspname || '.' || p.proname
    from pg_proc as p
    inner join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname in ('api', 'service', 'lookup', 'search') and 'plan_cache_mode=force_generic_plan' = any(p.proconfig)
        and (n.nspname = 'lookup' or p.proname ~ 'lookups$|^find_names$|^search$|^coefficients$')$$,
    array[
        'api.reconcile_lookups', 'api.search_lookups', 'lookup.answer', 'lookup.candidates', 'lookup.compare_numbers', 'lookup.features', 'lookup.find_names',
        'lookup.glance', 'lookup.likely_tables', 'lookup.read_query', 'lookup.reconcile', 'lookup.rivals', 'search.coefficients', 'search.find_names', 'search.search'
    ],
    'every function between a batch and its names'
);

select * from finish();
rollback;
