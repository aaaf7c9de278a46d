begin;
select plan(3);

create temporary table project as select t.make_project('shop', 'alice', 'bob') as id;
select lives_ok('select projects.require_an_owner(p.id) from project as p', 'a project with an owner');
update projects.member as m set role = 'member' from project as p where m.project_id = p.id;
select throws_ok('select projects.require_an_owner(p.id) from project as p', 'QM409', 'the project shop would be left without an owner', 'members alone are not enough');
delete from projects.member as m using project as p where m.project_id = p.id;
select throws_ok('select projects.require_an_owner(p.id) from project as p', 'QM409', null, 'nor is nobody');

select * from finish();
rollback;
