begin;
select plan(9);

select t.make_principal('alice'), t.make_principal('bob');
select t.act_as(null, 'qm_user');
select throws_ok($$select api.add_project('shop', '/srv/shop')$$, 'QM403', null, 'nobody adds nothing');
select t.act_as('alice', 'qm_user');
select lives_ok($$select api.add_project('shop', '/srv/shop')$$, 'a user adds a project');
select throws_ok($$select api.add_project('shop', '/srv/other')$$, 'QM409', null, 'once');
select throws_ok($$select api.add_project('two words', '/srv/shop')$$, 'QM422', null, 'a name is one word');
select throws_ok($$select api.add_project(null, '/srv/shop')$$, 'QM422', null, 'and there');
select throws_ok($$select api.add_project('other', 'srv/shop')$$, 'QM422', null, 'a folder is an absolute path');
select throws_ok($$select api.add_project('other', E'/srv\n/shop')$$, 'QM422', null, 'of one line');
select t.act_as('bob', 'qm_user');
select lives_ok($$select api.add_project('shop', '/srv/shop')$$, 'somebody else may use the name');
select t.act_as_superuser();
select results_eq(
    $$select o.name, m.role, count(a.principal_id) from projects.project as p
      inner join projects.member as m on m.project_id = p.id inner join policy.principal as o on o.id = m.principal_id
      inner join policy.audience_member as a on a.audience_id = p.audience_id and a.principal_id = m.principal_id
      group by o.name, m.role order by 1$$,
    $$values ('alice', 'owner', 1::bigint), ('bob', 'owner', 1::bigint)$$, 'each is owner, member and audience of its own'
);

select * from finish();
rollback;
