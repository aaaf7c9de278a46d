begin;
select plan(4);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('ruff', jsonb_build_array(t.finding('F401', 1)))));
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('bandit', jsonb_build_array(t.finding('B602', 7, 'high', 78)), 'ruff', jsonb_build_array(t.finding('F841', 3, 'low', null, true)))));
select results_eq(
    $$select f.tool, f.rule, f.category, f.severity, f.cwe, f.owasp, f.line, f.remedy, f.counts, f.because from api.findings('a.py') as f$$,
    $$values
        ('ruff', 'F841', 'maintainability', 'low', null, null, 3, 'Mend F841.', false, 'It is a hint.'),
        ('bandit', 'B602', 'security', 'high', 78, 'A03:2021 Injection', 7, 'Mend B602.', false, 'The taint pass follows the data from its source. bandit sees only the call.')$$, 'what was found, and what counts'
);
select is((select f.fingerprint from api.findings('a.py') as f where f.line = 3), md5('F8413'), 'with its fingerprint, by which it can be waived');
select throws_ok($$select * from api.findings('b.py')$$, 'QM404', null, 'a file that nobody has scanned');
select t.act_as('mallory');
select throws_ok($$select * from api.findings('a.py', 'shop')$$, 'QM404', null, 'nobody else reads them');

select * from finish();
rollback;
