begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.diff_snapshots('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.diff_snapshots('monday')$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select t.act_as_superuser();
select t.make_tool((select o.name from catalog.origin as o order by o.id limit 1), 'brand_new', 'Is new.');
select t.act_as('root', 'qm_admin');
select results_eq($$select d.change, d.from_version, d.to_version from api.diff_snapshots('monday') as d$$, $$values ('added', null::integer, 1)$$, 'to now');
select count(*) from api.create_snapshot('tuesday');
select results_eq($$select d.change, d.name like '%brand_new', d.from_version from api.diff_snapshots('tuesday', 'monday') as d$$, $$values ('removed', true, 1)$$, 'and back');

select * from finish();
rollback;
