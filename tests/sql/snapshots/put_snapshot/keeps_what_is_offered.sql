begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select throws_ok($$select snapshots.put_snapshot('a name', '', policy.find_principal('root'))$$, 'QM422', null, 'a name with a blank');
select throws_ok($$select snapshots.put_snapshot('../up', '', policy.find_principal('root'))$$, 'QM422', null, 'a name that is a path');
select catalog.decide_items(array[x.id], 'quarantined', 'x', policy.find_principal('root')) from catalog.item as x where x.id = (select min(y.id) from catalog.item as y);
select snapshots.put_snapshot('monday', '', policy.find_principal('root'));
select throws_ok($$select snapshots.put_snapshot('monday', '', policy.find_principal('root'))$$, 'QM409', null, 'a name that is taken');
select set_eq(
    $$select m.item_id, m.version from snapshots.member as m$$, $$select x.id, x.version from catalog.item as x where x.is_live$$,
    'every live tool in its version'
);
select is((select (s.items ->> 'tool')::integer from snapshots.snapshot as s), (select count(*)::integer from catalog.item as x where x.is_live), 'counted');
select is_empty($$select m.item_id from snapshots.member as m inner join catalog.item as x on x.id = m.item_id where x.status = 'quarantined'$$, 'what is withheld is not in it');

select * from finish();
rollback;
