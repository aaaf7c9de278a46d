begin;
select plan(3);

select t.make_project('shop', 'alice');
create temporary table version as
select t.scan_file('alice', 'app.js', (select jsonb_agg(s) from jsonb_array_elements(t.scans()) as s where s ->> 'tool' in ('secrets', 'mypy'))) as js, t.scan_file('alice', 'tests/test_a.py', t.scans('{}', '{"mypy": "degraded"}')) as test;
select t.act_as_superuser();
select results_eq(
    $$select c.category, c.tool, c.share, c.status, c.reason, c.can_read from version as v cross join lateral quality.checkers(v.js) as c$$,
    $$values
        ('complexity', 'lizard', 1::numeric, 'skipped', 'It has not run. Next: pip install lizard', true), ('security', 'secrets', 0.5, 'ok', '', true),
        ('security', 'taint', 0.5, 'skipped', 'It has not run. Next: Have a person review the file: no scanner reads this language.', false)$$, 'which have run, and what to do about the others'
);
select results_eq($$select c.status, c.reason from version as v cross join lateral quality.checkers(v.test) as c where c.tool = 'mypy'$$, $$values ('degraded', 'it was killed')$$, 'one that did not read the whole file says why');
select is_empty($$select from version as v cross join lateral quality.checkers(v.test) as c where c.category = 'test_coverage'$$, 'a test needs no coverage of its own');

select * from finish();
rollback;
