begin;
select plan(5);

select t.make_project('shop', 'alice');
select t.make_decisions('shop', t.candidate('Use the session.', '{"evidence": [{"kind": "file", "path": "against.py", "role": "contradicts"}, {"kind": "file", "path": "gone.py"}, {"kind": "file", "path": "a.py", "line": 2, "end_line": 4}]}'));
update decisions.evidence set is_gone = true where path = 'gone.py';
update decisions.evidence set is_reviewed = false where path = 'against.py';
create function pg_temp.evidence(p_maximum integer default null, p_with_excerpts boolean default false, p_only_reviewed boolean default false) returns jsonb
language sql return (select decisions.evidence_of(d.id, p_maximum, p_with_excerpts, p_only_reviewed) from decisions.decision as d);
select is(
    pg_temp.evidence(), '[{"kind": "file", "path": "a.py", "line": 2, "end_line": 4, "role": "supports"}, {"kind": "file", "path": "gone.py", "role": "supports", "gone": true}, {"kind": "file", "path": "against.py", "role": "contradicts"}]',
    'those that are there, those that are gone, and what contradicts'
);
select is(pg_temp.evidence(1) -> 1, null, 'so many');
select is(pg_temp.evidence(1, true) #> '{0,excerpt}', '""', 'with excerpts if they are asked for');
select is(jsonb_path_query_array(pg_temp.evidence(null, false, true), '$[*].path'), '["a.py", "gone.py"]', 'or only what a curator has seen');
select is(decisions.evidence_of(0), '[]', 'none is an empty list');

select * from finish();
rollback;
