begin;
select plan(10);

select t.make_principal('boss', 'admin'), t.make_principal('op', 'operator'), t.make_kind('memo');
select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'alice');
select t.make_project_card('memo', p.id, 'of ' || p.name, p.id, 'harbour') from projects.project as p;
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.remove_project('shop')$$, 'QM404', null, 'an operator removes nothing');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.remove_project('shop')$$, 'QM403', null, 'nor does a member');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.remove_project(null)$$, 'QM409', null, 'one of several is named');
select results_eq($$select r.cards, r.members from api.remove_project('shop', dry_run => true) as r$$, $$values (1::bigint, 2::bigint)$$, 'a preview counts');
select is((select count(*) from api.list_projects()), 2::bigint, 'and removes nothing');
select results_eq($$select r.cards, r.members from api.remove_project('shop') as r$$, $$values (1::bigint, 2::bigint)$$, 'an owner removes it');
select t.act_as_superuser();
select is((select array_agg(c.name) from search.card as c where c.kind = 'memo'), '{of blog}', 'with its cards');
select is((select count(*) from policy.audience), 1::bigint, 'and its audience');
select t.scan_file('alice', 'src/app.py', t.scans(), 'old', 'blog');
select t.act_as('boss', 'qm_admin');
select ok((select r.scans > 0 from api.remove_project('blog', dry_run => true) as r), 'a preview counts scans');
select lives_ok($$select api.remove_project('blog')$$, 'an administrator removes any');

select * from finish();
rollback;
