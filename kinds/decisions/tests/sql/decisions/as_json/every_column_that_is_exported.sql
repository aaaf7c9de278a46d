begin;
select plan(2);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
select t.make_decisions('shop', t.candidate('Use the session.', '{"instead": "a new one", "keywords": ["session"], "statistics": {"cases": 4}, "valid_from": "abcdef1"}'));
select is(
    (select decisions.as_json(d) - 'id' from decisions.decision as d), jsonb_build_object(
        'pattern', 'Use the session.', 'scope', '{"kind": "path", "value": "src/api/**"}'::jsonb, 'polarity', 'do', 'instead', 'a new one', 'rationale', '', 'applies_when', '',
        'rejected_alternatives', '[]'::jsonb, 'keywords', '["session"]'::jsonb, 'confidence', 'high', 'status', 'canonical', 'health', 'fresh', 'health_reason', '', 'origin', 'bootstrap',
        'miner', 'test', 'check', null, 'statistics', '{"cases": 4}'::jsonb, 'importance', 0, 'valid_from', 'abcdef1', 'last_verified', null, 'superseded_by', null, 'suspicion', '',
        'created_at', (select d.created_at from decisions.decision as d), 'evidence', '[{"kind": "file", "path": "src/api/users.py", "line": 3, "role": "supports"}]'::jsonb
    ), 'a decision as it is listed'
);
select is((select decisions.as_json(d, true) #>> '{evidence,0,excerpt}' from decisions.decision as d), 'an excerpt', 'with excerpts if they are asked for');

select * from finish();
rollback;
