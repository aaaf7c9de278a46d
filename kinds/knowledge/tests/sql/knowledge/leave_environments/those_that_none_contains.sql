begin;
select plan(1);

select t.make_project('shop', 'alice'), t.make_library('shop', 'acme');
insert into knowledge.distribution (name, version, digest, content, modules, summary, objects, unread, indexed_at)
values ('left', '1', '', '', '{left}', '', 0, '{}', core.now()), ('other', '1', '', 'x', '{other}', '', 0, '{}', core.now());
select knowledge.leave_environments(array(select d.id from knowledge.distribution as d where d.name in ('acme', 'left')));
select results_eq(
    $$select d.name from knowledge.distribution as d order by d.name$$, '{acme,other}'::text[], 'of those that are given, what an environment contains stays'
);

select * from finish();
rollback;
