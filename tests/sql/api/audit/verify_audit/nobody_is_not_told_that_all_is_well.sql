begin;
select plan(4);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
set constraints all immediate;
select t.act_as('op', 'qm_operator');
select throws_ok('select api.verify_audit()', '42501', null, 'an operator may not');
select t.act_as(null, 'qm_admin');
select throws_ok('select api.verify_audit()', 'QM403', null, 'nor nobody');
select t.act_as('boss', 'qm_admin');
select is(api.verify_audit() - '{records,first_id,last_id,last_hash}'::text[], '{"faults": [], "signatures": []}', 'an administrator learns that it is whole');
select is((api.verify_audit() ->> 'last_id')::bigint, (select max(r.id) from audit.record as r), 'up to which record');

select * from finish();
rollback;
