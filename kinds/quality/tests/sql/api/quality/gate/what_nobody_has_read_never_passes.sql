begin;
select plan(33);

select t.make_project('shop', 'alice');
select t.make_principal('bob');
select t.at('2030-01-01');
select t.act_as('bob');
select throws_ok($$select * from api.gate('src/app.py', project => 'shop')$$, 'QM404', null, 'nobody else judges its files');
select t.act_as('alice');
select throws_ok($$select * from api.gate('src/app.py')$$, 'QM404', null, 'a file that nobody has scanned');

select t.scan_file('alice', 'src/app.py', t.scans());
select ok((select g.passed from api.gate('src/app.py') as g), 'a good file passes');
select ok((select g.passed from api.gate('src/app.py', 'strict') as g), 'and the strict gate');
select is((select g.threshold from api.gate('src/app.py', 'framework') as g), 75::numeric, 'its threshold');
select throws_ok($$select * from api.gate('src/app.py', 'kind')$$, 'QM404', null, 'no such gate');
select throws_ok($$select * from api.gate('src/app.py', session => 'invented')$$, 'QM404', null, 'nor such a session');

-- Every checker of security, in every way in which it can fail.
create temporary table verdict as
select c.tool, s.status, (select g.passed from api.gate('src/' || c.tool || s.status || '.py') as g) as passed
from unnest('{taint,bandit,ruff,secrets,mypy,radon,vulture}'::text[]) as c (tool)
cross join unnest('{absent,skipped,degraded,error}'::text[]) as s (status)
where t.scan_file('alice', 'src/' || c.tool || s.status || '.py', t.scans('{}', jsonb_build_object(c.tool, s.status))) is not null;
select is_empty($$select v.tool, v.status from verdict as v where v.passed and v.tool in ('taint', 'bandit', 'ruff', 'secrets')$$, 'a checker of security that is missing or failed');
select is_empty($$select v.tool from verdict as v where v.passed and v.status = 'error'$$, 'no file passes while a checker failed');
select set_eq($$select v.tool from verdict as v where v.passed$$, '{mypy,radon,vulture}'::text[], 'others may be missing');
select ok(
    (select g.degraded and g.warnings::text like '%mypy has not read%pip install mypy%' from api.gate('src/mypyabsent.py') as g), 'but are named'
);

-- Coverage.
select t.scan_file('alice', 'src/uncovered.py', t.scans('{}', '{"coverage": "absent"}'));
select ok((select not g.passed and g.failures::text like '%coverage: unknown%coverage run%' from api.gate('src/uncovered.py') as g), 'unknown coverage fails, and how to measure it is said');
select t.scan_file('alice', 'src/stale.py', t.scans('{}', '{"coverage": "degraded"}'));
select ok((select not g.passed from api.gate('src/stale.py') as g), 'so does coverage of another version');
select t.scan_file('alice', 'src/low.py', t.scans('{}', '{}', '{"coverage_percent": 45}'));
select is((select g.failures from api.gate('src/low.py') as g), '{"coverage: 45.0% < 75% minimum"}'::text[], 'low coverage fails');
select t.scan_file('alice', 'src/edge.py', t.scans('{}', '{}', '{"coverage_percent": 75}'));
select ok((select g.passed and g.warnings::text like '%coverage: 75.0, close to the minimum of 75%' from api.gate('src/edge.py') as g), 'just enough passes with a warning');
select t.scan_file('alice', 'tests/test_app.py', t.scans('{}', '{"coverage": "absent"}'));
select ok((select g.passed from api.gate('tests/test_app.py') as g), 'a test needs no coverage of its own');

-- Security.
select t.scan_file('alice', 'src/hole.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)))));
select ok((select not g.passed and g.failures::text like '%security: 6.0 < 7%' from api.gate('src/hole.py') as g), 'a hole fails');
select ok((select g.recommendation like 'line 7, taint-sql: Mend%' from api.gate('src/hole.py') as g), 'what to mend is said');
select t.scan_file('alice', 'src/hint.py', t.scans(jsonb_build_object('bandit', jsonb_build_array(t.finding('B608', 7, 'high', 89)))));
select ok((select g.passed from api.gate('src/hint.py') as g), 'where the taint pass sees none, bandit only hints');
select t.scan_file('alice', 'src/hint.py', t.scans(jsonb_build_object('bandit', jsonb_build_array(t.finding('B608', 7, 'high', 89))), '{"taint": "error"}'));
select ok((select not g.passed from api.gate('src/hint.py') as g), 'unless the taint pass failed');
select ok((select f.counts from api.findings('src/hint.py') as f), 'then its finding counts');

-- New code.
select t.scan_file(
    'alice', 'src/twice.py', t.scans(
        jsonb_build_object('bandit', jsonb_build_array(t.finding('B101', 7, 'high', 703)), 'ruff', jsonb_build_array(t.finding('S101', 7, 'high', 703)))
    )
);
select ok(
    (select g.failures::text like '%high_findings: 1 new%' from api.gate('src/twice.py', new_code => true) as g), 'what two checkers report is one finding'
);
select t.scan_file('alice', 'src/old.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)))), 'old');
select service.set_baseline('src/old.py', 'HEAD', left(md5('old') || md5('old'), 40));
select t.scan_file('alice', 'src/old.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)))), 'new');
select ok((select not g.passed from api.gate('src/old.py') as g), 'the whole file fails');
select ok(
    (select not g.passed and g.failures::text like '%coverage: unknown%new lines%' from api.gate('src/old.py', new_code => true) as g),
    'the coverage of the whole file says nothing about new lines'
);
select t.scan_file(
    'alice', 'src/old.py', t.scans(
        jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89))), '{}', '{"coverage_percent": 20, "new_coverage_percent": 90}'
    ), 'new'
);
select is((select g.failures from api.gate('src/old.py', new_code => true) as g), '{}'::text[], 'the new code does not, and only its own coverage counts');
select t.scan_file(
    'alice', 'src/old.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89), t.finding('taint-sql', 9, 'high', 89)))), 'newer'
);
select ok((select not g.passed and g.failures::text like '%high_findings%' from api.gate('src/old.py', new_code => true) as g), 'until it brings a hole of its own');
select t.scan_file('alice', 'src/fresh.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)))));
select ok((select not g.passed from api.gate('src/fresh.py', new_code => true) as g), 'without a baseline all is new');

-- Verdicts are kept.
select t.read_as('alice');
select ok((select count(*) > 40 from quality.gate_result), 'every verdict is recorded');
select t.act_as('bob');
select throws_ok($$select api.quality_report(project => 'shop')$$, 'QM404', null, 'others see none');
select t.read_as('bob');
select is_empty($$select * from quality.gate_result$$, 'whichever way they look');
-- An absolute path says which project it is.
select t.act_as_superuser();
select t.make_project('blog', 'alice');
select t.act_as('alice');
select throws_ok($$select * from api.gate('src/app.py')$$, 'QM409', 'the call does not say which of these 2 projects it is about: alice/blog, alice/shop', 'several projects are named');
select lives_ok($$select * from api.gate('/srv/shop/src/app.py')$$, 'an absolute path says which one');
select t.act_as_superuser();
select throws_ok($$update quality.gate_result set passed = false, failures = '[]'$$, '23514', null, 'a failure names its reasons');

select * from finish();
rollback;
