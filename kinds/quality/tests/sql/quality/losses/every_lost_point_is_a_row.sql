begin;
select plan(11);

select t.make_project('shop', 'alice');
select t.scan_file(
    'alice', 'a.py',
    t.scans(
        jsonb_build_object(
            'ruff', jsonb_build_array(t.finding('F401', 1, 'medium'), t.finding('S608', 5, 'medium', 89), t.finding('C901', 9, 'low')),
            'bandit', jsonb_build_array(t.finding('B608', 5, 'medium', 89), t.finding('B105', 7, 'low', 259)),
            'secrets', jsonb_build_array(t.finding('aws-key', 7, 'critical', 798)),
            'mypy', jsonb_build_array(t.finding('arg-type', 3, 'high')),
            'ty', jsonb_build_array(t.finding('invalid-argument-type', 3, 'high'))
        ),
        '{}', '{"coverage_percent": 80, "complexity_mean": 9.5}'
    )
);
select results_eq(
    $$select l.category, l.rule, l.line, trim_scale(l.points) from api.losses('a.py') as l order by 1, 2$$,
    $$values
        ('complexity', 'complexity_mean', null::integer, 2.5), ('maintainability', 'F401', 1, 0.75), ('maintainability', 'arg-type', 3, 2),
        ('security', 'aws-key', 7, 10), ('test_coverage', 'coverage_percent', null, 2)
    $$,
    'what costs points'
);
select is_empty(
    $$select s.category from api.score('a.py') as s
    where s.category <> 'overall' and s.score <> greatest(0, 10 - coalesce((select sum(l.points) from api.losses('a.py') as l where l.category = s.category), 0))$$,
    'the rows add up to what is missing'
);
select results_eq(
    $$select f.rule, f.because <> '' from api.findings('a.py') as f where not f.counts order by 1$$,
    $$values ('B105', true), ('B608', true), ('C901', true), ('S608', true), ('invalid-argument-type', true)$$,
    'what does not count, and why'
);
select results_eq($$select distinct f.owasp from api.findings('a.py') as f where f.cwe = 89$$, array['A03:2021 Injection'], 'its class');

-- Without the taint pass, the two findings of one weakness in one line count once.
select t.scan_file(
    'alice', 'b.py',
    t.scans(
        jsonb_build_object(
            'ruff', jsonb_build_array(t.finding('S608', 5, 'medium', 89)), 'bandit', jsonb_build_array(t.finding('B608', 5, 'high', 89))
        ), '{"taint": "absent"}'
    )
);
select results_eq($$select l.rule, trim_scale(l.points) from api.losses('b.py') as l where l.category = 'security'$$, $$values ('B608', 4::numeric)$$, 'the worse of two');

-- Long files.
select t.scan_file('alice', 'c.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1, 'medium'))), '{}', '{"lines_of_code": 2000}'));
select is((select l.points from api.losses('c.py') as l where l.rule = 'F401'), 0.075, 'the same finding costs less in a long file');
select t.scan_file('alice', 'd.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 1, 'high', 89))), '{}', '{"lines_of_code": 2000}'));
select is((select l.points from api.losses('d.py') as l where l.rule = 'taint-sql'), 4::numeric, 'but a hole does not');

-- A checker that is absent takes its share along.
select t.scan_file('alice', 'e.py', t.scans('{}', '{"mypy": "absent"}'));
select results_eq(
    $$select s.score, s.state, s.missing from api.score('e.py') as s where s.category = 'maintainability'$$,
    $$values (10.00, 'partial', '{mypy}'::text[])$$, 'is named'
);
select ok(
    (select s.weight from api.score('e.py') as s where s.category = 'maintainability')
    < (select s.weight from api.score('a.py') as s where s.category = 'maintainability'), 'its weight goes to the others'
);
select is((select sum(s.weight) from api.score('e.py') as s where s.category <> 'overall'), 1.0000, 'and they add up to 1');
select t.scan_file('alice', 'f.py', t.scans('{}', '{"bandit": "absent"}'));
select results_eq(
    $$select s.score, s.state from api.score('f.py') as s where s.category = 'security'$$, $$values (null::numeric, 'unknown')$$,
    'without all of its checkers, security is unknown'
);

select * from finish();
rollback;
