begin;
select plan(4);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
create function pg_temp.scans() returns jsonb language sql return t.scans(jsonb_build_object(
    'ruff', jsonb_build_array(
        t.finding('F401', 3, 'low') || '{"suppressed_by": "# ruff: noqa", "suppressed_at": 1}', t.finding('F841', 3, 'low', null, true) || '{"suppressed_by": "# ruff: noqa", "suppressed_at": 1}'
    ), 'suppressions', jsonb_build_array(t.finding('suppression-file-noqa', 1, 'low', null, true) || '{"name": "# ruff: noqa"}', t.finding('suppression-noqa', 7, 'low', null, true) || '{"name": "# noqa"}')
));
create temporary table version as select t.scan_file('alice', 'a.py', pg_temp.scans(), 'old') as old, t.scan_file('alice', 'a.py', pg_temp.scans(), 'new') as new, t.scan_file('alice', 'b.py', t.scans()) as silent;
select api.waive('a.py', md5('suppression-noqa7'), 'It hides nothing at all.', '2030-02-01');
select t.act_as_superuser();
select results_eq(
    $$select s.line, s.word, s.tools, s.hides, s.counts, s.quiets, s.message, s.is_waived from version as v cross join lateral quality.suppressions(v.old, null) as s$$,
    $$values
        (1, '# ruff: noqa', '{ruff}'::text[], 2, 1, true, 'line 1: `# ruff: noqa` hides 2 findings of ruff, of which 1 count', false),
        (7, '# noqa', '{}', 0, 0, false, 'line 7: suppression-noqa is broken', true)$$, 'in order, with a sentence for people'
);
select is((select s.fingerprint from version as v cross join lateral quality.suppressions(v.old, null) as s where s.line = 1), md5('suppression-file-noqa1'), 'and its fingerprint, by which it can be waived');
select is_empty($$select s from version as v cross join lateral quality.suppressions(v.new, v.old) as s$$, 'with an earlier version, only new words');
select is_empty($$select s from version as v cross join lateral quality.suppressions(v.silent, null) as s$$, 'most files have none');

select * from finish();
rollback;
