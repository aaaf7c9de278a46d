begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["place"]}]}');
select t.act_as('bob', 'qm_user');
select results_eq($$select s.name from api.suggest_lookup_types('P') as s$$, array['plant'], 'only what may be seen');
select t.act_as('alice', 'qm_user');
select results_eq($$select s.name from api.suggest_lookup_types('latin') as s$$, array['plant'], 'by a word of the description');
select throws_ok($$select * from api.suggest_lookup_types('', maximum => 101)$$, 'QM422', null, 'too long a page');
select throws_ok($$select * from api.suggest_lookup_types('', skip => -1)$$, 'QM422', null, 'a page before the first');

select * from finish();
rollback;
