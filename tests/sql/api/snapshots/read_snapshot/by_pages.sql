begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.read_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.read_snapshot('monday')$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select is((select count(*)::integer from api.read_snapshot('monday')), (select sum(k.items::integer)::integer from api.list_snapshots() as s cross join jsonb_each_text(s.items) as k (kind, items)), 'all of it');
select results_eq(
    $$select r.public_name, r.body from api.read_snapshot('monday') as r order by r.id offset 1 limit 1$$,
    $$select r.public_name, r.body from api.read_snapshot('monday', (select min(f.id) from api.read_snapshot('monday') as f), 1) as r$$,
    'the page after a tool'
);

select * from finish();
rollback;
