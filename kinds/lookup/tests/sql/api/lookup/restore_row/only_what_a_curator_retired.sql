begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select * from api.restore_row('plant', '4')$$, 'QM403', null, 'not for a user');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.restore_row('plant', '4')$$, 'QM409', null, 'not what its source says is inactive');
select api.retire_row('plant', '4');
select results_eq($$select r.active from api.restore_row('plant', '4') as r$$, array[false], 'which it stays');
select throws_ok($$select * from api.restore_row('plant', '99')$$, 'QM404', null, 'nor a row that is not there');

select * from finish();
rollback;
