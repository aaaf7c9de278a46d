begin;
select plan(3);

select t.make_project('shop', 'alice');
create function pg_temp.see(p_path text, p_text text) returns bigint language sql as $$select quality.see_file(p.id, p_path, left(md5(p_text) || md5(p_text), 40)) from projects.project as p$$;
create temporary table seen as select pg_temp.see('a.py', 'one') as one, pg_temp.see('a.py', 'two') as two, pg_temp.see('README', 'one') as other;
update quality.file_version set seen_at = '2000-01-01', language = 'old' where path = 'a.py';
select is(pg_temp.see('a.py', 'one'), (select one from seen), 'the same content is the same version');
select results_eq(
    $$select v.path, v.language, v.seen_at > '2001-01-01' from quality.file_version as v order by v.id$$, $$values ('a.py', 'python', true), ('a.py', 'old', false), ('README', 'text', true)$$, 'which was seen now, in its language'
);
select throws_ok($$select pg_temp.see('', 'one')$$, '23514', null, 'a file has a path');

select * from finish();
rollback;
