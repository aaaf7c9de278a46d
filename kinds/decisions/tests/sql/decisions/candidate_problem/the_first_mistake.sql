begin;
select plan(3);

select is(decisions.candidate_problem(t.candidate('Use the session.')), null, 'nothing is wrong with a good one');
select is(decisions.candidate_problem(null), 'a candidate is an object', 'null is none');
select results_eq(
    $$select decisions.candidate_problem(t.candidate('Use the session.', m.more)) from unnest(array[
        '{"confidence": "total"}', '{"origin": "heaven"}', '{"importance": "high"}', '{"statistics": {"cases": "many"}}', '{"importance": 1000001}', '{"keywords": [1]}', '{"statistics": []}'
    ]::jsonb[] || jsonb_build_object('rationale', repeat('x', 4001)) || jsonb_build_object('evidence', (select jsonb_agg('{"kind": "file", "path": "a.py"}'::jsonb) from generate_series(1, 101)))) as m (more)$$,
    array[
        'confidence is low, medium or high', 'origin is bootstrap, agent_submitted or imported', 'importance and the members of statistics are numbers',
        'importance and the members of statistics are numbers', 'importance and the members of statistics are numbers', 'keywords and rejected_alternatives contain texts',
        'keywords, rejected_alternatives and evidence are arrays, and statistics is an object', 'rationale is longer than 4000 characters', 'there are more than 100 pieces of evidence'
    ], 'what is wrong is said'
);

select * from finish();
rollback;
