begin;
select plan(1);

select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.forget_teaching(4711)$$, 'QM404', null, 'there is none');

select * from finish();
rollback;
