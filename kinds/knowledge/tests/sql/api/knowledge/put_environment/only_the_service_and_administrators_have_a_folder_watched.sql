-- The service reads a watched folder again, with rights to files that an operator may not have.
begin;
select plan(4);
select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator');
select t.make_project('shop', 'op');
create role qm_test_dba login;
grant qm_operator to qm_test_dba;
create role qm_test_owner login;
grant qm_admin to qm_test_owner;
update policy.principal as p set database_role = 'qm_test_dba' where p.name = 'op';
update policy.principal as p set database_role = 'qm_test_owner' where p.name = 'boss';
create temporary view states as select e.folder, e.state from knowledge.environment as e;

set local session authorization qm_test_dba;
select api.put_environment('/srv/x', '{}', 'shop', true, 'a digest');
select t.act_as_superuser();
select is((select s.state from states as s), null, 'the login of an operator');
set local session authorization qm_test_owner;
select api.put_environment('/srv/all', '{}', null, true, 'a digest');
select t.act_as_superuser();
select is((select s.state from states as s where s.folder = '/srv/all'), 'a digest', 'the login of an administrator');
select t.act_as('op', 'qm_operator');
select api.put_environment('/srv/x', '{}', 'shop', true, 'a digest');
select t.act_as_superuser();
select is((select s.state from states as s where s.folder = '/srv/x'), 'a digest', 'the service');
set local session authorization qm_test_dba;
select api.put_environment('/srv/x', '{}', 'shop', true, 'another digest');
select t.act_as_superuser();
select is((select s.state from states as s where s.folder = '/srv/x'), 'a digest', 'which an operator does not end');

select * from finish();
rollback;
