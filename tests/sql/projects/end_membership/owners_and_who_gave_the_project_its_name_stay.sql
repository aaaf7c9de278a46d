begin;
select plan(6);

create temporary table project as select t.make_project('shop', 'alice', 'bob', 'carol') as id;
create function pg_temp.ended(p_name text) returns boolean language sql as $$
    select projects.end_membership(p.id, u.id) from project as p cross join policy.principal as u where u.name = p_name
$$;
select is(pg_temp.ended('bob'), true, 'a member goes');
select is(pg_temp.ended('bob'), false, 'once');
update projects.member as m set role = 'owner' from policy.principal as u where u.id = m.principal_id and u.name = 'carol';
select throws_ok(
    $$select pg_temp.ended('alice')$$, 'QM409', 'alice added the project shop, and stays its member: the project is called alice/shop',
    'whose name it has stays, also beside another owner'
);
update projects.member as m set role = 'member' from policy.principal as u where u.id = m.principal_id and u.name = 'alice';
select throws_ok($$select pg_temp.ended('carol')$$, 'QM409', 'the project shop would be left without an owner', 'the last owner stays');
select is((select count(*) from projects.member), 2::bigint, 'who is refused is still a member');
update projects.member as m set role = 'owner' from policy.principal as u where u.id = m.principal_id and u.name = 'alice';
select is(pg_temp.ended('carol'), true, 'another owner goes');

select * from finish();
rollback;
