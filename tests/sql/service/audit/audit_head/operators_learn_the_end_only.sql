begin;
select plan(3);

select t.make_principal('op', 'operator');
set constraints all immediate;
select t.act_as('op', 'qm_user');
select throws_ok('select * from service.audit_head()', '42501', null, 'a user does not');
select t.act_as('op', 'qm_operator');
select throws_ok('select * from audit.record', '42501', null, 'an operator reads no record');
create temporary table head as select * from service.audit_head();
select t.act_as_superuser();
select results_eq('select h.record_id, h.hash, h.is_signed, h.last_holds from head as h', 'select r.id, r.hash, false, true from audit.record as r order by r.id desc limit 1', 'but learns the end');

select * from finish();
rollback;
