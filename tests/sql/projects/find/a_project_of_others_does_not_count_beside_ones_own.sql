begin;
select plan(5);

select t.make_principal('boss', 'admin'), t.make_project('shop', 'alice'), t.make_project('shop', 'mallory');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.show_project('shop')$$, 'QM409', null, 'two projects of others are as good');
select api.add_project('shop', '/srv/own');
select t.act_as('alice', 'qm_user');
select is(api.show_project('shop') ->> 'owner', 'alice', 'a user finds its own');
select t.act_as('boss', 'qm_admin');
select is(api.show_project('shop') ->> 'owner', 'boss', 'an administrator, too');
select is(api.show_project() ->> 'owner', 'boss', 'also without a name');
select is(api.show_project('mallory/shop') ->> 'owner', 'mallory', 'and one of others by its owner');

select * from finish();
rollback;
