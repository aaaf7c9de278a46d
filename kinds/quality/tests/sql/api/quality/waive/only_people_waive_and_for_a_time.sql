begin;
select plan(16);

select t.make_project('shop', 'alice', 'bob');
select t.make_principal('robot');
select t.at('2030-01-01');
update policy.principal set kind = 'agent' where name = 'bob';
select t.scan_file('alice', 'a.py', t.scans(jsonb_build_object('taint', jsonb_build_array(t.finding('taint-sql', 1, 'high', 89))), '{"coverage": "skipped"}'));
select t.act_as('bob');
select throws_ok($$select api.waive('a.py', 'coverage', 'I am in a hurry.', '2030-02-01')$$, 'QM403', null, 'an agent excuses nothing');
select t.act_as('alice');
select throws_ok($$select api.waive('a.py', 'security', 'It is only internal.', '2030-02-01')$$, 'QM422', null, 'security as a whole cannot be waived');
select throws_ok($$select api.waive('a.py', 'failed_checkers', 'It always crashes.', '2030-02-01')$$, 'QM422', null, 'nor a checker that failed');
select throws_ok($$select api.waive('a.py', 'nothing', 'A good reason, really.', '2030-02-01')$$, 'QM422', null, 'nor what is not there');
select throws_ok($$select api.waive('a.py', 'coverage', 'so', '2030-02-01')$$, 'QM422', null, 'a reason is needed');
select throws_ok($$select api.waive('a.py', 'coverage', 'It is generated code.', '2029-02-01')$$, 'QM422', null, 'and an end in the future');
select throws_ok($$select api.waive('a.py', 'coverage', 'It is generated code.', '2039-02-01')$$, 'QM422', null, 'that is near');
select ok((select not g.passed from api.gate('a.py') as g), 'before');
select isnt(api.waive('a.py', 'coverage', 'It is generated code.', '2030-02-01'), null::bigint, 'a person waives');
select isnt(api.waive('a.py', md5('taint-sql1'), 'The value is a constant.', '2030-02-01'), null::bigint, 'a finding, too');
select ok((select g.passed and g.warnings::text like '%coverage: waived until 2030-02-01 by alice: It is generated code.%' from api.gate('a.py') as g), 'then the file passes, and it is said');
select results_eq($$select w.what, w.is_over from api.list_waivers() as w where w.what = 'coverage'$$, $$values ('coverage', false)$$, 'they are listed');
select t.act_as_superuser();
select results_eq(
    $$select d.status, d.scope_value, d.rationale, e.path, e.line from decisions.decision as d inner join decisions.evidence as e on e.decision_id = d.id where d.pattern like 'taint-sql%'$$,
    $$values ('candidate', 'a.py', 'The value is a constant.', 'a.py', 1)$$, 'the waiver of a finding is a candidate with the finding as evidence'
);
select is((select count(*) from decisions.decision as d where d.pattern = 'coverage need not hold in a.py: It is generated code.'), 1::bigint, 'that of a condition, too');
select t.at('2030-02-02');
select t.act_as('alice');
select ok((select not g.passed from api.gate('a.py') as g), 'until it is over');
select ok((select bool_and(w.is_over) from api.list_waivers() as w), 'which the list says');

select * from finish();
rollback;
