begin;
select plan(13);

select t.make_catalog(), t.make_principal('op', 'operator'), t.make_project('shop', 'alice'), t.make_project('blog', 'bob');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.act_as('op', 'qm_operator');
select api.load_notes(jsonb_build_array(jsonb_set(t.note('databases/vacuum', 'Vacuum frees dead row versions for reuse.'), '{passages,0,heading}', '"Why vacuum?"')), 'a digest');
select t.act_as('alice', 'qm_user');
select throws_ok($$select api.start_task('vacuum', project => 'bob/blog')$$, 'QM404', null, 'a project of others is not found');
select throws_ok($$select api.start_task(' ')$$, 'QM422', null, 'a task needs a goal');
select is((select text ~ '^shop: .*\nEnvironment: .*\nKnowledge: ' from api.start_task('vacuum dead row versions') where part = 'profile'), true, 'the project in three lines');
select is(
    (select name from api.start_task('vacuum dead row versions') where part = 'note' limit 1), 'databases/vacuum', 'a note that fits'
);
select matches(
    (select text from api.start_task('vacuum dead row versions') where part = 'note' limit 1), ' Why vacuum\? Vacuum frees', 'no colon follows a question'
);
select ok((select receipt is not null from api.start_task('vacuum dead row versions') where part = 'note' limit 1), 'with its receipt');
select ok(
    (select sum(tokens) <= 60 from api.start_task('vacuum dead row versions', budget_tokens => 60) where part <> 'left_out'), 'the budget holds'
);
select is(
    (select count(*) from api.start_task('vacuum dead row versions', recent_context => 'We spoke of tables.') where part = 'note'), 1::bigint,
    'what was said before may be given'
);
-- With two projects, an absolute path or the working directory says which one is meant.
select t.act_as_superuser();
select t.make_project('mill', 'alice');
select t.act_as('alice', 'qm_user');
select is(
    (select text from api.start_task('vacuum') where part = 'left_out' and name = 'project'), 'Name one of your 2 projects: alice/mill, alice/shop.',
    'two projects, and none is named'
);
select is(
    (select split_part(text, ':', 1) from api.start_task('vacuum', array['/srv/mill/a.py', 'b.py']) where part = 'profile'), 'mill',
    'an absolute path names the project'
);
select set_config('qm.folder', '/srv/shop/src', true);
select is((select split_part(text, ':', 1) from api.start_task('vacuum') where part = 'profile'), 'shop', 'and so does the working directory');
select set_config('qm.folder', '', true);
select t.act_as_superuser();
update core.setting set value = '0' where name = 'task.time_ms';
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select part, name from api.start_task('vacuum dead row versions', project => 'shop') order by name$$,
    $$select 'left_out', u.name from unnest('{decision,gate,note,profile,symbol,tool}'::text[]) as u (name) order by 2$$, 'late parts are named'
);
select t.act_as_superuser();
update core.setting set value = '100000' where name = 'task.time_ms';
select t.act_as('op', 'qm_operator');
select is(
    (select text from api.start_task('vacuum') where part = 'left_out' and name = 'project'),
    'You are a member of no project. Ask the owner of one to add you: qm project members NAME --add op. Or add one: qm project add PATH.',
    'somebody without a project learns how to get one'
);

select * from finish();
rollback;
