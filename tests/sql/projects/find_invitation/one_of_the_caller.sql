begin;
select plan(7);

select t.make_principal('bob'), t.make_project('shop', 'alice'), t.make_project('mill', 'alice'), t.make_project('shop', 'paul');
create function pg_temp.found(p_name text) returns text language sql security definer as $$
    select i.name || ' ' || i.role from projects.find_invitation(p_name) as i
$$;
select t.act_as('alice', 'qm_user');
select api.put_project_member('bob', 'owner', 'shop'), api.put_project_member('bob', project => 'mill');
select throws_ok($$select pg_temp.found('shop')$$, 'QM404', 'you are not invited to any project called ''shop''', 'who invites is not invited');
select t.act_as('bob', 'qm_user');
select is(pg_temp.found('shop'), 'shop owner', 'by the name of the project');
select is(pg_temp.found('alice/mill'), 'mill member', 'with its owner');
select api.decline_project('mill');
select is(pg_temp.found('mill'), 'mill member', 'also if it was declined');
select t.act_as('paul', 'qm_user');
select api.put_project_member('bob', project => 'shop');
select t.act_as('bob', 'qm_user');
select throws_ok($$select pg_temp.found('shop')$$, 'QM409', 'you are invited to 2 projects of this name: alice/shop, paul/shop', 'one of two is named');
select is(pg_temp.found('paul/shop'), 'shop member', 'with its owner, too');
select t.act_as(null);
select throws_ok($$select pg_temp.found('shop')$$, 'QM403', null, 'nobody is invited');

select * from finish();
rollback;
