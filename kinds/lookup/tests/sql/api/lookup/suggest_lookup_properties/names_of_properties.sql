begin;
select plan(4);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["plant"]}]}');
select t.act_as('bob', 'qm_user');
select is_empty($$select * from api.suggest_lookup_properties('fam')$$, 'properties of a hidden table are not told');
select t.act_as('alice', 'qm_user');
select results_eq($$select s.name, s.in_lookups from api.suggest_lookup_properties('') as s$$, $$values ('author', '{plant}'::text[]), ('family', '{plant}')$$, 'all, with their tables');
select results_eq(
    $$select s.name from api.suggest_lookup_properties('', with_columns => true) as s$$, array['author', 'family', 'active', 'aliases', 'domain', 'language', 'value'],
    'those that begin so first, what every row has last'
);
select is_empty($$select * from api.suggest_lookup_properties('', lookups => '{place}')$$, 'only of the type asked for');

select * from finish();
rollback;
