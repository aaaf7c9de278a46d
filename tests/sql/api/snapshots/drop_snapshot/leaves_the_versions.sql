begin;
select plan(5);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.drop_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.drop_snapshot('monday')$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select results_eq($$select d.items <> '{}', d.artifact from api.drop_snapshot('monday', true) as d$$, $$values (true, null::text)$$, 'what would go');
select is((select count(*)::integer from api.list_snapshots()), 1, 'has not');
select count(*) from api.drop_snapshot('monday');
select is_empty($$select * from api.list_snapshots()$$, 'until it does');

select * from finish();
rollback;
