begin;
select plan(4);

select t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.keep_snapshots(3)$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select api.keep_snapshots(0)$$, 'QM422', null, 'none is too few');
select throws_ok($$select api.keep_snapshots(null)$$, 'QM422', null, 'nor is nothing a number');
select is(api.keep_snapshots(3), 3, 'three');

select * from finish();
rollback;
