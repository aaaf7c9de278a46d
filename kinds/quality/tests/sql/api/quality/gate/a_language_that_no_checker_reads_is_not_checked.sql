begin;
select plan(12);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
-- What the service stores of a file in JavaScript.
create function pg_temp.scans(p_secrets jsonb default '[]', p_metrics jsonb default '{}', p_status text default 'ok') returns jsonb
language sql as $$
    select jsonb_agg(
        jsonb_build_object(
            'tool', c.tool, 'tool_version', '1', 'config_hash', '', 'context_hash', '', 'status', c.status,
            'reason', case c.status when 'ok' then '' when 'skipped' then 'No scanner reads JavaScript.' else 'it was killed' end,
            'elapsed_ms', 3, 'findings', case c.tool when 'secrets' then p_secrets else '[]' end,
            'metrics', case c.tool when 'lizard' then p_metrics else '{}' end
        )
    )
    from (values ('taint', 'skipped'), ('secrets', p_status), ('lizard', 'ok'), ('suppressions', 'ok')) as c (tool, status);
$$;

select t.scan_file('alice', 'app.js', pg_temp.scans());
select results_eq(
    $$select g.passed, g.score, g.failures, g.degraded from api.gate('app.js') as g$$,
    $$values (null::boolean, null::numeric, '{}'::text[], true)$$,
    'what no checker can read neither passes nor fails'
);
select is(
    (select g.warnings from api.gate('app.js') as g),
    array['overall: unknown, because security was not checked.', 'security: not checked. No scanner reads JavaScript. Only secrets were looked for.'],
    'and it is said, once'
);
select is((select g.passed from api.gate('app.js', 'framework') as g), null, 'as in most gates');
select ok(
    (select c.state = 'done' from api.checklist('feature') as c where c.tool = 'tapps_quality_gate' and c.path = 'app.js'),
    'the checklist does not ask for the gate again'
);

select t.scan_file('alice', 'run.sh', pg_temp.scans());
select is((select g.passed from api.gate('run.sh') as g), null, 'nor does a script, of which nothing else is measured');

-- The strict gate asks that somebody reads it.
select is(
    (select g.failures from api.gate('app.js', 'strict') as g),
    array['unread_language: No scanner reads JavaScript. The gate strict asks for it: a person who has read the file can waive this.'],
    'the strict gate asks for more'
);
select api.waive('app.js', 'unread_language', 'Two of us have read it.', '2030-02-01');
select ok((select g.passed and g.warnings::text like '%Two of us%' from api.gate('app.js', 'strict') as g), 'until a person has read it');

-- What was read counts.
select t.scan_file('alice', 'key.js', pg_temp.scans(jsonb_build_array(t.finding('aws-key', 7, 'critical', 798))));
select is((select g.failures from api.gate('key.js') as g), '{"security: at most 0.0 < 7 minimum"}'::text[], 'a secret fails');
select t.scan_file('alice', 'maze.js', pg_temp.scans('[]', '{"complexity_mean": 40, "complexity_max": 90}'));
select is((select g.failures from api.gate('maze.js') as g), '{"overall: at most 10.0 < 70 minimum"}'::text[], 'so does complexity');
select t.scan_file('alice', 'killed.js', pg_temp.scans('[]', '{}', 'error'));
select is(
    (select array_agg(left(f, 17)) from api.gate('killed.js') as g cross join unnest(g.failures) as f),
    array['failed_checkers: ', 'overall: unknown.', 'security: unknown'],
    'a checker that failed is no language that nobody reads'
);
select t.scan_file(
    'alice', 'unknown.js',
    (select jsonb_agg(c.scan || case c.scan ->> 'tool' when 'lizard' then '{"status": "skipped", "reason": "It is not there."}' else '{}'::jsonb end) from jsonb_array_elements(pg_temp.scans()) as c (scan))
);
select is(
    (select array_agg(left(f, 17)) from api.gate('unknown.js') as g cross join unnest(g.failures) as f),
    array['overall: unknown.'],
    'if another checker is not there, the overall score is unknown for that, too'
);
select t.scan_file('alice', 'app.py', t.scans('{}', '{"taint": "skipped"}'));
select ok((select not g.passed from api.gate('app.py') as g), 'nor is a checker that is not there');

select * from finish();
rollback;
