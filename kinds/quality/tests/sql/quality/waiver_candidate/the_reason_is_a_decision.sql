begin;
select plan(3);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
create temporary table version as select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 7, 'high', 89))))) as id;
create temporary table waiver as select api.waive('a.py', md5('taint-sql7'), 'The value is a constant.', '2030-02-01') as finding, api.waive('a.py', 'coverage', 'It is generated code.', '2030-02-01') as condition;
select t.act_as_superuser();
select is(
    (select quality.waiver_candidate(w.finding, v.id) from waiver as w cross join version as v),
    '{
        "pattern": "taint-sql need not hold in a.py: The value is a constant.", "scope": {"kind": "path", "value": "a.py"}, "rationale": "The value is a constant.", "miner": "waiver", "keywords": ["taint-sql"],
        "evidence": [{"kind": "file", "path": "a.py", "line": 7, "blob": "0cc175b9c0f1b6a831c399e2697726610cc175b9", "excerpt": "taint-sql is broken"}]
    }', 'that of a finding, with its place'
);
select is((select quality.waiver_candidate(w.condition, null) -> 'evidence' from waiver as w), '[{"kind": "file", "path": "a.py"}]', 'that of a condition, without one');
select is((select quality.waiver_candidate(w.condition, null) ->> 'pattern' from waiver as w), 'coverage need not hold in a.py: It is generated code.', 'under its name');

select * from finish();
rollback;
