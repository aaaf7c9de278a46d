begin;
select plan(2);

select t.make_principal('op', 'operator'), t.make_principal('boss', 'admin');
set constraints all immediate;
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.audit_hashes('{1}')$$, '42501', null, 'an operator does not');
select t.act_as('boss', 'qm_admin');
select results_eq($$select h.record_id, h.hash from api.audit_hashes(array[-1, (select max(r.id) from audit.record as r)]) as h$$, $$select r.id, encode(r.hash, 'hex') from audit.record as r order by r.id desc limit 1$$, 'of records that exist');

select * from finish();
rollback;
