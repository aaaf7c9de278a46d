begin;
select plan(6);

create temporary table who as select t.make_principal('alice') as alice, t.make_principal('bob') as bob;
select is(policy.guardrails_of(w.alice, null, 'web'), null, 'without guardrails nothing is changed') from who as w;
select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.apply_rules('{"guardrails": [
    {"subject": "principal:alice", "origins": "mail", "secrets": "deliver"},
    {"subject": "everyone", "origins": ["web", "m*"], "instructions": "mark", "secrets": "mask", "result_bytes": 5000},
    {"subject": "everyone", "secrets": "mark", "result_bytes": 100}
]}');
select t.act_as_superuser();
select is(policy.guardrails_of(w.bob, null, 'web'), '{"instructions": "mark", "secrets": "mask", "result_bytes": 5000}', 'the first entry with a member decides about it') from who as w;
select is(policy.guardrails_of(w.alice, null, 'mail'), '{"instructions": "mark", "result_bytes": 5000}', 'a principal can get more, and each member is decided alone') from who as w;
select is(policy.guardrails_of(w.bob, null, 'shop'), '{"secrets": "mark", "result_bytes": 100}', 'an entry without origins is for all') from who as w;
select is(api.show_rules() #> '{guardrails,2}', '{"subject": "everyone", "secrets": "mark", "result_bytes": 100}', 'the rules show them');
select throws_ok($$select policy.put_version('{"guardrails": [{"subject": "everyone", "secrets": "off"}]}')$$, 'QM422', null, 'a mistake is refused');

select * from finish();
rollback;
