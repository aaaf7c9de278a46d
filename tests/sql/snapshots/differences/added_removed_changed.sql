begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select snapshots.put_snapshot('monday', '', policy.find_principal('root'));
select is_empty($$select d.* from snapshots.snapshot as s cross join snapshots.differences(s.id) as d$$, 'nothing yet');
select t.make_tool((select o.name from catalog.origin as o order by o.id limit 1), 'brand_new', 'Is new.');
select catalog.decide_items(array[x.id], 'deprecated', 'x', policy.find_principal('root')) from catalog.item as x where x.id = (select min(m.item_id) from snapshots.member as m);
select results_eq(
    $$select d.change, x.name, d.from_version, d.to_version from snapshots.snapshot as s cross join snapshots.differences(s.id) as d inner join catalog.item as x on x.id = d.id order by 1$$,
    $$select 'added', 'brand_new', null::integer, 1 union all select 'removed', x.name, 1, null from catalog.item as x where x.status = 'deprecated'$$,
    'against now'
);
select snapshots.put_snapshot('tuesday', '', policy.find_principal('root'));
select results_eq(
    $$select d.change from snapshots.differences(snapshots.require_snapshot('monday'), snapshots.require_snapshot('tuesday')) as d order by 1$$,
    array['added', 'removed'], 'against another'
);
select results_eq(
    $$select d.change from snapshots.differences(snapshots.require_snapshot('tuesday'), snapshots.require_snapshot('monday')) as d order by 1$$,
    array['added', 'removed'], 'and the other way round'
);

select * from finish();
rollback;
