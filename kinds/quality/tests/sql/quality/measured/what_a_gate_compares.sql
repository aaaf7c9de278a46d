begin;
select plan(4);

select t.make_project('shop', 'alice');
create temporary table version as
select
    t.scan_file('alice', 'a.py', t.scans(
        jsonb_build_object(
            'taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)), 'call_sites', jsonb_build_array(t.finding('missing-attribute', 3), t.finding('missing-attribute', 5)),
            'decisions', jsonb_build_array(t.finding('decision-1', 2, 'low'))
        ), '{"vulture": "error", "coverage": "absent"}'
    )) as python,
    t.scan_file('alice', 'a.js', t.scans('{}', '{"taint": "absent"}')) as js;
select t.act_as_superuser();
create function pg_temp.measured(p_id bigint, p_preset text, variadic p_metrics text[]) returns table (metric text, value numeric, unit text, missing text, unread text) language sql as $$
    select m.* from quality.measured(p_id, p_preset, null) as m where m.metric = any(p_metrics) order by m.metric;
$$;
select results_eq(
    $$select m.metric, m.value, m.missing from version as v cross join lateral pg_temp.measured(v.python, 'standard', 'broken_decisions', 'coverage', 'failed_checkers', 'high_findings', 'missing_calls', 'security', 'suppressions') as m$$,
    $$values
        ('broken_decisions', 1::numeric, 'decision-1'), ('coverage', null, 'It has not run. Next: coverage run -m pytest'), ('failed_checkers', 1, 'vulture'), ('high_findings', 3, null),
        ('missing_calls', 2, 'line 3, line 5'), ('security', 6.00, '')$$, 'numbers, and what they come from'
);
select is((select m.value from version as v cross join lateral pg_temp.measured(v.python, 'strict', 'suppressions') as m), 0::numeric, 'words that silence checkers only for a gate that asks for them');
select results_eq(
    $$select m.metric, m.value, m.unread from version as v cross join lateral pg_temp.measured(v.js, 'standard', 'overall', 'security', 'unread_language') as m$$,
    $$values
        ('overall', null::numeric, null), ('security', 10.00, 'It has not run. Next: Have a person review the file: no scanner reads this language.'), ('unread_language', 1, null)$$,
    'the best value that something unread can have, unless another checker is missing'
);
select is_empty($$select m from version as v cross join lateral pg_temp.measured(v.js, 'standard', 'coverage', 'broken_decisions') as m$$, 'nothing that does not apply to the language');

select * from finish();
rollback;
