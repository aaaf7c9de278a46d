begin;
select plan(5);

delete from core.hook;
delete from selection.task_part where name not in ('profile', 'tool');
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_user');
select is((select string_agg(text, '') from api.start_task('sell a book') where part = 'profile'), 'shop', 'a task has the parts of the core');
select is((select count(*) from api.start_task('sell a book') where part not in ('profile', 'left_out')), 0::bigint, 'and no others');
select t.act_as_superuser();

create function core.counts(p_project_id integer) returns jsonb language sql as $$select '{"packages": 3, "cards": 2}'::jsonb$$;
create function core.counts_more(p_project_id integer) returns jsonb language sql as $$select '{"packages": 1, "scans": 5}'::jsonb$$;
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select cards, members, packages, scans from api.remove_project('shop', dry_run => true)$$,
    $$values (0::bigint, 1::bigint, 0::bigint, 0::bigint)$$, 'nothing else goes with a project'
);
select t.act_as_superuser();
select core.put_hook('project_removed', 'core.counts'), core.put_hook('project_removed', 'core.counts_more');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select cards, members, packages, scans from api.remove_project('shop')$$,
    $$values (2::bigint, 1::bigint, 4::bigint, 5::bigint)$$, 'what kinds count is added up'
);
select t.act_as_superuser();
select is((select count(*) from projects.project), 0::bigint, 'and the project is gone');

select * from finish();
rollback;
