begin;
select plan(14);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice', 'bob'), t.make_project('blog', 'alice'), t.make_project('shop', 'bob');
select t.read_as('alice');
select is(projects.find('blog') is not null, true, 'by its name');
select throws_ok($$select projects.find()$$, 'QM409', 'the call does not say which of these 2 projects it is about: alice/blog, alice/shop', 'several are listed');
select is(projects.find('shop'), projects.find('alice/shop'), 'a project of somebody else with this name is not counted');
select set_config('qm.project', 'blog', true);
select is(projects.find(), projects.find('blog'), 'the session names one');
select is(projects.find('shop'), projects.find('alice/shop'), 'the argument comes first');
select throws_ok($$select projects.find('nothing')$$, 'QM404', null, 'one that is not there');
select set_config('qm.project', '', true);
select t.read_as('bob');
select throws_ok($$select projects.find('blog')$$, 'QM404', 'you are not a member of any project called ''blog''', 'one of others is not found');
select throws_ok($$select projects.find('nothing')$$, 'QM404', 'you are not a member of any project called ''nothing''', 'just like one that does not exist');
select throws_ok($$select projects.find('shop')$$, 'QM409', 'the call does not say which of these 2 projects it is about: alice/shop, bob/shop', 'two of one name');
select isnt(projects.find('alice/shop'), projects.find('bob/shop'), 'are told apart by their owners');
select t.read_as('boss', 'qm_admin');
select throws_ok($$select projects.find('blog')$$, 'QM404', null, 'an administrator is a member of nothing');
select is(projects.find('blog', true) is not null, true, 'but may manage it');
select throws_ok($$select projects.find()$$, 'QM404', 'you are not a member of any project', 'nothing to choose from');
select t.read_as(null);
select throws_ok($$select projects.find('blog')$$, 'QM403', null, 'nobody finds nothing');

select * from finish();
rollback;
