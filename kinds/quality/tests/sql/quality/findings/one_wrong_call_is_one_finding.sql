begin;
select plan(4);

select t.make_project('shop', 'alice');
-- As the service stores it: mypy names the whole expression, the comparison with the packages the place of the name.
select t.scan_file(
    'alice', 'a.py',
    t.scans(
        jsonb_build_object(
            'mypy', jsonb_build_array(
                t.finding('attr-defined', 3) || '{"name": "sned"}',
                t.finding('call-arg', 5) || '{"name": "by_ari", "end_line": 7}',
                t.finding('attr-defined', 9) || '{"name": "own"}',
                t.finding('call-arg', 12) || '{"name": "at", "end_line": 16}',
                t.finding('call-arg', 13) || '{"name": "at", "end_line": 14}',
                t.finding('arg-type', 3)
            ),
            'call_sites', jsonb_build_array(
                t.finding('missing-attribute', 3) || '{"name": "sned"}',
                t.finding('missing-keyword', 6) || '{"name": "by_ari"}',
                t.finding('missing-attribute', 10) || '{"name": "own"}',
                t.finding('missing-keyword', 14) || '{"name": "at"}'
            )
        )
    )
);
select results_eq(
    $$select f.tool, f.rule, f.line from api.findings('a.py') as f where f.counts and f.line <= 10 order by f.line, f.tool$$,
    $$values
        ('call_sites', 'missing-attribute', 3), ('mypy', 'arg-type', 3), ('call_sites', 'missing-keyword', 6), ('mypy', 'attr-defined', 9),
        ('call_sites', 'missing-attribute', 10)$$,
    'the same name at the same place is one finding'
);
select is(
    (select f.because from api.findings('a.py') as f where f.line = 5), 'The comparison with the installed packages also suggests the nearest existing name.',
    'and the other says why it does not count'
);
select results_eq(
    $$select f.tool, f.line from api.findings('a.py') as f where f.counts and f.line > 10 order by f.line, f.tool$$,
    $$values ('mypy', 12), ('call_sites', 14)$$,
    'of calls in each other, only the innermost around the name is the same finding'
);
select results_eq(
    $$select l.tool, l.rule from api.losses('a.py') as l where l.line in (3, 5, 6) order by l.line, l.tool$$,
    $$values ('call_sites', 'missing-attribute'), ('mypy', 'arg-type'), ('call_sites', 'missing-keyword')$$,
    'it costs points once'
);

select * from finish();
rollback;
