begin;
select plan(4);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
create temporary table version as
select
    t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89))), '{"decisions": "absent"}', '{"coverage_percent": 40}')) as python,
    t.scan_file('alice', 'a.js', t.scans('{}', '{"taint": "absent"}')) as js;
select api.waive('a.py', 'coverage', 'It is generated code.', '2030-02-01');
select t.act_as_superuser();
select results_eq(
    $$select j.metric, j.value, j.minimum, j.maximum, j.verdict, j.situation from version as v cross join lateral quality.judge(v.python, 'standard', null, false) as j where j.metric <> 'overall'$$,
    $$values
        ('broken_decisions', null, null, 0::numeric, 'warn', 'unknown'), ('coverage', 40, 75::numeric, null, 'waived', 'waived'), ('failed_checkers', 0, null, 0, 'pass', 'measured'),
        ('missing_calls', 0, null, 0, 'pass', 'measured'), ('security', 6.00, 7, null, 'fail', 'measured')$$, 'pass, warn, fail, or waived'
);
select is(
    (select j.facts from version as v cross join lateral quality.judge(v.python, 'standard', null, false) as j where j.metric = 'coverage'),
    '{"metric": "coverage", "value": 40, "rounded": 40.0, "unit": "%", "minimum": 75, "missing": null, "unread": null, "preset": "standard", "until": "2030-02-01", "by": "alice", "reason": "It is generated code."}',
    'with the facts of its sentence'
);
select results_eq(
    $$select j.metric, j.value, j.verdict, j.situation from version as v cross join lateral quality.judge(v.js, 'strict', null, false) as j where j.metric in ('security', 'unread_language')$$,
    $$values ('security', 10.00, 'unread', 'unread'), ('unread_language', 1, 'fail', 'measured')$$, 'what nobody can read is not checked'
);
select throws_ok($$select quality.judge(v.js, 'invented', null, false) from version as v$$, 'QM404', 'there is no gate called ''invented''', 'a gate that is not there');

select * from finish();
rollback;
