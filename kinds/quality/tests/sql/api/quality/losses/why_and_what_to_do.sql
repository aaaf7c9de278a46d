begin;
select plan(3);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89)))));
select results_eq(
    $$select l.category, trim_scale(l.points), l.tool, l.rule, l.line, l.finding is not null, l.why, l.remedy from api.losses('a.py') as l$$,
    $$values
        ('security', 4::numeric, 'taint', 'taint-sql', 7, true, 'taint-sql is broken', 'Mend taint-sql.'),
        ('test_coverage', 1, 'coverage', 'coverage_percent', null, false, 'coverage_percent is 90.00. Each missing percentage point of coverage costs the same number of points.', '')$$,
    'a finding and a number'
);
select throws_ok($$select * from api.losses('b.py')$$, 'QM404', null, 'a file that nobody has scanned');
select t.act_as('mallory');
select throws_ok($$select * from api.losses('a.py', 'shop')$$, 'QM404', null, 'nobody else reads them');

select * from finish();
rollback;
