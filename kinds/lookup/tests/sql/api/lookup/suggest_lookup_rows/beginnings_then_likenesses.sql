begin;
select plan(9);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["place"]}]}');
select t.act_as('bob', 'qm_user');
select is_empty($$select * from api.suggest_lookup_rows('Ume')$$, 'rows of a hidden table are not suggested');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select s.in_lookup, s.id from api.suggest_lookup_rows('BÉT') as s$$, $$values ('plant', '2'), ('plant', '1')$$, 'normalised beginnings in alphabetical order, no inactive row'
);
select results_eq($$select s.id, s.name from api.suggest_lookup_rows('vart') as s$$, $$values ('1', 'vårtbjörk')$$, 'aliases, too, and which one it was');
select is((select s.id from api.suggest_lookup_rows('5', 'plant') as s limit 1), '5', 'an id');
select is((select s.id from api.suggest_lookup_rows('Betula pendula Roth', 'plant') as s limit 1), '1', 'where nothing begins so, what it may mean');
select results_eq($$select s.id from api.suggest_lookup_rows('bet', maximum => 1, skip => 1) as s$$, array['1'], 'the next page');
select is((select count(*) from api.suggest_lookup_rows('', 'plant')), 5::bigint, 'nothing typed: the first rows');
select is_empty($$select * from api.suggest_lookup_rows('bet', lookups => '{place}')$$, 'only of the type asked for');
select throws_ok($$select * from api.suggest_lookup_rows('x', maximum => 0)$$, 'QM422', null, 'a page of nothing');

select * from finish();
rollback;
