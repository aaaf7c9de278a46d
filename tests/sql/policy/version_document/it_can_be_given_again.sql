begin;
select plan(2);

select t.make_rules('{"default": "deny", "note": "n", "rules": [{"effect": "allow", "subject": "everyone", "reason": "r", "origins": ["a", "b"], "destructive": false}], "guardrails": [{"subject": "everyone", "secrets": "mask"}]}');
select is(
    policy.version_document(v.id) - '{version,is_active,is_pinned,created_at}'::text[],
    '{"default": "deny", "note": "n", "rules": [{"effect": "allow", "subject": "everyone", "reason": "r", "origins": ["a", "b"], "destructive": false}], "guardrails": [{"subject": "everyone", "secrets": "mask"}]}', 'as it was given'
) from policy.rule_version as v where v.is_active;
select throws_ok($$select policy.version_document(999)$$, 'QM404', null, 'none of that number');

select * from finish();
rollback;
