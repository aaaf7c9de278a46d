begin;
select plan(3);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["plant"]}]}');
select t.act_as('bob', 'qm_user');
select throws_ok($$select api.describe_lookup_property('family')$$, 'QM422', null, 'of a hidden table nothing is told');
select t.act_as('alice', 'qm_user');
select is(api.describe_lookup_property('family'), '{"name": "family", "lookups": ["plant"], "examples": ["Betulaceae", "Poaceae"]}', 'where it is, and what it looks like');
select throws_ok($$select api.describe_lookup_property('colour', 'plant')$$, 'QM422', null, 'no row has it');

select * from finish();
rollback;
