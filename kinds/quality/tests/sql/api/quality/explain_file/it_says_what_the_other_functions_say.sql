begin;
select plan(8);

select t.make_project('shop', 'alice');
select t.scan_file(
    'alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1), t.finding('S608', 2, 'high'))))
);
select is(
    api.explain_file('a.py') -> 'score', (select jsonb_agg(s order by s.category) from api.score('a.py') as s), 'the scores'
);
select is(api.explain_file('a.py') -> 'losses', (select jsonb_agg(l) from api.losses('a.py') as l), 'the lost points');
select isnt(api.explain_file('a.py') -> 'losses', '[]'::jsonb, 'of which there are some');
select is(
    (select jsonb_agg(f -> 'rule') from jsonb_array_elements(api.explain_file('a.py') -> 'findings') as f),
    (select jsonb_agg(f.rule) from api.findings('a.py') as f), 'the findings'
);
select is(api.explain_file('a.py') -> 'scans', (select jsonb_agg(s) from api.scans('a.py') as s), 'the scans');
select is(api.explain_file('a.py') -> 'suppressions', '[]'::jsonb, 'no word tells a checker to be silent');
select t.scan_file(
    'alice', 'c.py',
    t.scans(jsonb_build_object(
        'ruff', jsonb_build_array(t.finding('F401', 1, 'low', null, true) || '{"suppressed_by": "# noqa", "suppressed_at": 1}'),
        'suppressions', jsonb_build_array(t.finding('suppression-noqa', 1, 'low', null, true) || '{"name": "# noqa"}')
    ))
);
select is(
    api.explain_file('c.py') -> 'suppressions', (select g.suppressions from api.gate('c.py') as g), 'the words in a file, as the gate tells them'
);
select throws_ok($$select api.explain_file('b.py')$$, 'QM404', null, 'nobody has scanned the file');

select * from finish();
rollback;
