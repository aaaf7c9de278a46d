begin;
select plan(4);

select t.make_project('shop', 'alice');
update core.setting set value = '100000' where name = 'task.time_ms';
select t.at('2030-01-01');
create function pg_temp.told() returns text
language sql as $$
    select s.text from api.start_task('Mend the basket.', '{src/app.py}', project => 'shop') as s where s.part = 'gate';
$$;
select t.scan_file('alice', 'src/app.py', t.scans(), 'old');
select api.gate('src/app.py');
select is(pg_temp.told(), 'Passed by the gate standard on 2030-01-01', 'the verdict about the file as it is');
select t.scan_file('alice', 'src/app.py', t.scans(), 'new');
select is(pg_temp.told(), 'Passed by the gate standard on 2030-01-01, of an earlier version of the file', 'says nothing of what was changed since');
select t.at('2030-01-02');
select t.scan_file('alice', 'src/app.py', t.scans('{}', '{"coverage": "degraded"}'), 'new');
select api.gate('src/app.py');
select matches(pg_temp.told(), '^Failed by the gate standard on 2030-01-02: coverage: unknown', 'until it is judged again');
select t.scan_file('alice', 'src/app.py', t.scans(), 'old');
select is(pg_temp.told(), 'Passed by the gate standard on 2030-01-01', 'a verdict about the present contents holds, even if it is older');

select * from finish();
rollback;
