begin;
select plan(7);

select t.make_catalog(), t.make_principal('alice');
select throws_ok($$select policy.put_version('[]')$$, 'QM422', null, 'no object');
select throws_ok($$select policy.put_version('{"rule": []}')$$, 'QM422', null, 'an unknown key');
select throws_ok($$select policy.put_version('{"default": "maybe"}')$$, 'QM422', null, 'no default');
select throws_ok($$select policy.put_version('{"rules": [{"effect": "deny", "subject": "everyone"}, {"effect": "deny"}]}')$$, 'QM422', null, 'one wrong rule of two');
select is((select count(*) from policy.rule_version), 1::bigint, 'and nothing is kept');
select policy.put_version('{"default": "deny", "note": "all"}');
select results_eq($$select v.note, v.default_effect, v.is_active from policy.rule_version as v order by v.id$$, $$values ('as installed', 'allow', true), ('all', 'deny', false)$$, 'a draft');
select t.read_as('alice');
select isnt_empty($$select from catalog.item$$, 'hides nothing');

select * from finish();
rollback;
