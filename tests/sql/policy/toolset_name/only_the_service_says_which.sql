begin;
select plan(2);

select t.make_principal('alice');
create role qm_test_dba login in role qm_test_user;
select t.read_as('alice');
select t.through('clock');
select is(policy.toolset_name(), 'clock', 'the service names one');
set local session authorization qm_test_dba;
select set_config('qm.toolset', 'clock', true);
select is(policy.toolset_name(), null, 'another login cannot');

select * from finish();
rollback;
