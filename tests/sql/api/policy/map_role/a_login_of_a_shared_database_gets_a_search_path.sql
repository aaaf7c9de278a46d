begin;
select plan(3);

create role qm_test_login login in role qm_user connection limit 10;
select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('boss', 'qm_admin');
select is((select m.next_steps from api.map_role('alice', 'qm_test_login') as m), '{}', 'a database of our own has one');
select t.act_as_superuser();
select core.report_capability('own_database', false, 'a trial', 'nothing', 'shared');
select t.act_as('boss', 'qm_admin');
select is(
    (select m.next_steps from api.map_role('alice', 'qm_test_login') as m),
    array[format('alter role qm_test_login in database %I set search_path = api', current_database())],
    'of this login, in this database'
);
select t.act_as_superuser();
alter role qm_test_login set search_path = shop;
select t.act_as('boss', 'qm_admin');
select is((select m.next_steps from api.map_role('alice', 'qm_test_login') as m), '{}', 'one that it has stays');

select * from finish();
rollback;
