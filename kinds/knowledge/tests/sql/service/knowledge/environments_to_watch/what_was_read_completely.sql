begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.put_environment('/srv/all', '{}', null, true, 'a state');
select t.act_as('alice', 'qm_operator');
select api.put_environment('/srv/shop', '{}', 'shop', true, 'another state');
select api.put_environment('/srv/stopped', '{}', 'shop', false);
select t.read_as('boss', 'qm_operator');
select results_eq(
    $$select folder, project, state, indexed_by from service.environments_to_watch()$$,
    $$values ('/srv/all', null, 'a state', 'boss'), ('/srv/shop', 'alice/shop', 'another state', 'alice')$$,
    'the service sees those of every project, but not one of which it read a part'
);
select t.act_as('alice', 'qm_user');
select throws_ok('select * from service.environments_to_watch()', '42501', null, 'people may not');
select t.act_as_superuser();
set local session authorization qm_owner;
select throws_ok('select * from service.environments_to_watch()', 'QM403', null, 'nor may a session of a person with the rights of all');

select * from finish();
rollback;
