begin;
select plan(3);
select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
create role qm_test_dba login;
grant qm_operator to qm_test_dba;
create role qm_test_owner login;
grant qm_admin to qm_test_owner;
update policy.principal as p set database_role = 'qm_test_dba' where p.name = 'op';
update policy.principal as p set database_role = 'qm_test_owner' where p.name = 'boss';
select set_config('qm.test_notes', jsonb_build_array(t.note('a', 'One.'))::text, true);

set local session authorization qm_test_dba;
select throws_ok($$select * from api.load_notes(current_setting('qm.test_notes')::jsonb, null)$$, 'QM403', null, 'an operator adds none for everybody');
select throws_ok($$select * from api.load_notes('[]', 'a digest', '{}')$$, 'QM403', null, 'and removes none');
set local session authorization qm_test_owner;
select lives_ok($$select * from api.load_notes(current_setting('qm.test_notes')::jsonb, null)$$, 'an administrator does');

select * from finish();
rollback;
