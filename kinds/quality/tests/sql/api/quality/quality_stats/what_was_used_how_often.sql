begin;
select plan(6);

select t.make_project('shop', 'alice'), t.make_principal('mallory');
select t.act_as('alice');
select is(api.quality_stats(), '{"tools": {}, "checkers": {}, "gates": {}, "feedback": {}}', 'nothing was used yet');
select t.scan_file('alice', 'a.py', t.scans()), t.scan_file('alice', 'b.py', t.scans('{}', '{"bandit": "error"}'));
select api.gate('a.py'), api.gate('b.py');
select api.give_quality_feedback('a_tool', 5), api.give_quality_feedback('a_tool', 8);
select is(api.quality_stats() #> '{checkers,bandit}', '{"scans": 2, "ok": 1, "failed": 1, "p95_ms": 3.0}', 'checkers and those that failed');
select is(api.quality_stats() -> 'gates', '{"standard": {"judged": 2, "passed": 1}}', 'gates and who passed');
select is((api.quality_stats() #> '{tools,tapps_quality_gate}') - 'last_at', '{"uses": 2, "passed": 1, "p50_ms": null, "p95_ms": null}', 'tools');
select is(api.quality_stats() -> 'feedback', '{"a_tool": {"ratings": 2, "mean": 6.50}}', 'and what agents say about them');
select t.act_as('mallory');
select throws_ok($$select api.quality_stats('shop')$$, 'QM404', null, 'nobody else reads them');

select * from finish();
rollback;
