begin;
select plan(4);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_principal('root', 'admin');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.verify_snapshot('monday')$$, '42501', null, 'operators do not');
select t.act_as('root', 'qm_admin');
select throws_ok($$select * from api.verify_snapshot('monday')$$, 'QM404', null, 'one that is not there');
select count(*) from api.create_snapshot('monday');
select is_empty($$select * from api.verify_snapshot('monday')$$, 'whole');
select t.act_as_superuser();
update snapshots.snapshot as s set origins = 77;
select t.act_as('root', 'qm_admin');
select results_eq($$select v.faulty, v.fault from api.verify_snapshot('monday') as v$$, $$values ('monday', 'the manifest has been changed')$$, 'or not');

select * from finish();
rollback;
