begin;
select plan(3);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('bandit', jsonb_build_array(t.finding('B101', 7, 'low', 703)))), 'old');
select t.scan_file(
    'alice', 'a.py', t.scans(
        jsonb_build_object(
            'bandit', jsonb_build_array(t.finding('B101', 7, 'low', 703), t.finding('B101', 9, 'low', 703)),
            'ruff', jsonb_build_array(t.finding('S101', 9, 'high', 703), t.finding('D103', 2, 'low'), t.finding('D104', 2, 'low', p_is_hint => true))
        )
    ), 'new'
);
select t.act_as_superuser();
create temporary table version as
select case v.blob_hash when left(md5('old') || md5('old'), 40) then 'old' else 'new' end as name, v.id from quality.file_version as v;
select results_eq(
    $$select c.rule, c.line, c.severity from quality.counted_findings((select v.id from version as v where v.name = 'new'), null) as c order by c.line, c.rule$$,
    $$values ('D103', 2, 'low'), ('B101', 7, 'low'), ('S101', 9, 'high')$$,
    'the same weakness in the same line is one finding, the most severe; a hint is none'
);
select results_eq(
    $$select c.rule, c.line from quality.counted_findings((select v.id from version as v where v.name = 'new'), (select v.id from version as v where v.name = 'old')) as c order by c.line, c.rule$$,
    $$values ('D103', 2), ('S101', 9)$$,
    'with a baseline, only what is new'
);
select t.scan_file('alice', 'b.py', t.scans(jsonb_build_object('decisions', jsonb_build_array(t.finding('decision-7', 3)))));
select t.act_as_superuser();
select results_eq(
    $$select c.tool, c.rule from quality.file_version as v cross join lateral quality.counted_findings(v.id, null) as c where v.path = 'b.py'$$,
    $$values ('decisions', 'decision-7')$$,
    'a decision counts, too'
);

select * from finish();
rollback;
