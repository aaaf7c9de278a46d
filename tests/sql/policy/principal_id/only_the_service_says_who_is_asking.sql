begin;
select plan(4);

select t.make_principal('alice');
select t.read_as('alice');
select is((select p.name from policy.principal as p where p.id = policy.principal_id()), 'alice', 'the service names a principal');
select t.read_as(null);
select is(policy.principal_id(), null::bigint, 'without a name it is nobody');
select t.act_as_superuser();
create role qm_test_dba login;
grant qm_test_user to qm_test_dba;
select set_config('qm.test_alice', (select p.id::text from policy.principal as p where p.name = 'alice'), true);
set local session authorization qm_test_dba;
select set_config('qm.principal', current_setting('qm.test_alice'), true);
select is(policy.principal_id(), null::bigint, 'another login cannot name one');
set local session authorization default;
select policy.put_principal('dba', 'person', 'admin', 'qm_test_dba');
set local session authorization qm_test_dba;
select set_config('qm.principal', current_setting('qm.test_alice'), true);
select is((select p.name from policy.principal as p where p.id = policy.principal_id()), 'dba', 'a mapped login is who it is mapped to');

select * from finish();
rollback;
