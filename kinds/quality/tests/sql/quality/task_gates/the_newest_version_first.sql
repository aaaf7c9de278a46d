begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table shop as select p.id from projects.project as p;
grant select on shop to public;
create function pg_temp.gates(variadic p_paths text[]) returns jsonb language sql as $$select quality.task_gates(row('work', 'work', s.id, 'alice/shop', p_paths, 4, 0, null, null)::selection.task) from shop as s$$;
select t.at('2030-01-01');
select t.scan_file('alice', 'a.py', t.scans(), 'one'), t.scan_file('alice', 'b.py', t.scans('{}', '{}', '{"coverage_percent": 45}')), t.scan_file('alice', 'c.js', t.scans(jsonb_build_object('lizard', '[]'::jsonb), '{"taint": "absent"}'));
select api.gate('a.py'), api.gate('b.py'), api.gate('c.js');
select t.read_as('alice');
select is(
    pg_temp.gates('c.js', 'b.py', 'a.py', 'd.py'),
    '[
        {"name": "a.py", "text": "Passed by the gate standard on 2030-01-01", "score": 1}, {"name": "b.py", "text": "Failed by the gate standard on 2030-01-01: coverage: 45.0% < 75% minimum", "score": 1},
        {"name": "c.js", "text": "Not checked by the gate standard on 2030-01-01", "score": 1}
    ]', 'each file that was judged'
);
select is(pg_temp.gates('d.py'), null, 'others are left out');
select t.scan_file('alice', 'a.py', t.scans(), 'two');
select t.read_as('alice');
select is(pg_temp.gates('a.py') #>> '{0,text}', 'Passed by the gate standard on 2030-01-01, of an earlier version of the file', 'a result for an earlier version says so');
select t.act_as('alice');
select t.at('2030-01-02');
select api.gate('a.py', 'strict');
select t.read_as('alice');
select is(pg_temp.gates('a.py') #>> '{0,text}', 'Passed by the gate strict on 2030-01-02', 'that for the newest comes before it');

select * from finish();
rollback;
