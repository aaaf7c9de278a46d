begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table made as select t.make_decisions(
    'shop', t.candidate('Use the session.', '{"instead": "a new one", "rationale": "It is slow."}'), t.candidate('Reverse each migration.', '{"scope": {"kind": "path", "value": "db/**"}}')
) as ids;
grant select on made to public;
create function pg_temp.part(variadic p_paths text[]) returns jsonb language sql as $$
    select decisions.task_decisions(row('work', 'work', null, 'alice/shop', p_paths, 4, 0, null, null)::selection.task);
$$;
select t.read_as('alice');
select is((select jsonb_agg(d -> 'name' order by d -> 'name') from jsonb_array_elements(pg_temp.part('src/api/a.py', 'src/api/b.py', 'db/1.sql')) as d), (select jsonb_build_array('decision ' || ids[1], 'decision ' || ids[2]) from made), 'each decision once');
select is(pg_temp.part('src/api/a.py') #>> '{0,text}', 'Use the session. Instead of: a new one. It is slow. (fresh)', 'in one text');
select ok(pg_temp.part('src/api/a.py') #> '{0,receipt}' is not null, 'with its receipt');
select is(pg_temp.part('README.md'), null, 'none applies');

select * from finish();
rollback;
