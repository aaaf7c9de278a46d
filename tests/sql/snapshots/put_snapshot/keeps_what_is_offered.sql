begin;
select plan(6);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select throws_ok($$select snapshots.put_snapshot('a name', '', policy.find_principal('root'))$$, 'QM422', null, 'a name with a blank');
select throws_ok($$select snapshots.put_snapshot('../up', '', policy.find_principal('root'))$$, 'QM422', null, 'a name that is a path');
select catalog.decide_tools(array[x.id], 'quarantined', 'x', policy.find_principal('root')) from catalog.tool as x where x.id = (select min(y.id) from catalog.tool as y);
select snapshots.put_snapshot('monday', '', policy.find_principal('root'));
select throws_ok($$select snapshots.put_snapshot('monday', '', policy.find_principal('root'))$$, 'QM409', null, 'a name that is taken');
select set_eq(
    $$select m.tool_id, m.version from snapshots.member as m$$, $$select x.id, x.version from catalog.tool as x where x.is_live$$,
    'every live tool in its version'
);
select is((select s.tools from snapshots.snapshot as s), (select count(*)::integer from catalog.tool as x where x.is_live), 'counted');
select is_empty($$select m.tool_id from snapshots.member as m inner join catalog.tool as x on x.id = m.tool_id where x.status = 'quarantined'$$, 'what is withheld is not in it');

select * from finish();
rollback;
