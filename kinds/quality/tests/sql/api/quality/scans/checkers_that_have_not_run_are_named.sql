begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.at('2030-01-01');
select t.scan_file('alice', 'app.js', (select jsonb_agg(s) from jsonb_array_elements(t.scans('{}', '{"secrets": "error"}')) as s where s ->> 'tool' in ('secrets', 'coverage')));
select results_eq(
    $$select s.tool, s.version, s.status, s.reason, s.elapsed_ms, s.scanned_at, s.metrics from api.scans('app.js') as s$$,
    $$values
        ('coverage', '1', 'ok', '', 3::real, '2030-01-01'::timestamptz, '{"coverage_percent": 90}'::jsonb), ('lizard', '', 'skipped', 'it has not run', 0, null, '{}'),
        ('secrets', '1', 'error', 'it was killed', 3, '2030-01-01', '{}'), ('taint', '', 'skipped', 'it has not run', 0, null, '{}')$$, 'those of its language and those that have run'
);
select throws_ok($$select * from api.scans('b.js')$$, 'QM404', null, 'a file that nobody has scanned');
select t.act_as('mallory');
select throws_ok($$select * from api.scans('app.js', 'shop')$$, 'QM404', null, 'nobody else reads them');

select * from finish();
rollback;
