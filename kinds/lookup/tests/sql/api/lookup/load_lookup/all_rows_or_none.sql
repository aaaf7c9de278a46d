begin;
select plan(16);

select t.make_principal('alice'), t.make_principal('op', 'operator');
select t.read_as('alice');
select throws_ok($$select * from api.load_lookup('plant', '[]')$$, '42501', null, 'a user may not');
select t.read_as('op', 'qm_operator');
select throws_ok($$select * from api.load_lookup('plant', '[]')$$, 'QM404', null, 'a table that is not there');
select api.create_lookup('plant');
select throws_ok($$select * from api.load_lookup('plant', '[{"id": "1", "value": "a"}, {"id": "1", "value": "b", "line": 7}]')$$, 'QM422', 'line 7: the id ''1'' occurs twice', 'an id twice');
select throws_ok($$select * from api.load_lookup('plant', '[{"id": "1", "value": " "}]')$$, 'QM422', null, 'a row without a value');
select throws_ok($$select * from api.load_lookup('plant', '{"id": "1"}')$$, 'QM422', null, 'no array');
select throws_ok($$select * from api.load_lookup('plant', '[{"id": "1", "value": "a", "active": "no"}]')$$, 'QM422', null, 'a wrong type');
select is_empty($$select * from lookup.lookup_row$$, 'nothing was loaded');
select results_eq(
    $$select * from api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula", "aliases": ["birch"]}, {"id": "2", "value": "Betula nana"}]')$$,
    $$values (2, 0, 0, 0)$$, 'two rows are new'
);
select throws_ok(
    $$select * from api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula", "aliases": ["birch"]}, {"id": "3", "value": "Salix"}]')$$,
    'QM409', '1 of the 2 rows of plant are not among the given rows and would be removed', 'more than a tenth is not removed by accident'
);
select throws_ok($$select * from api.load_lookup('plant', '[]')$$, 'QM409', null, 'nor are all of them');
select results_eq(
    $$select * from api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula", "aliases": ["birch"]}, {"id": "3", "value": "Salix"}]', may_remove => true)$$,
    $$values (1, 0, 1, 1)$$, 'one is new, one the same, one gone'
);
select results_eq(
    $$select * from api.load_lookup('plant', '[{"id": "1", "value": "Betula alba"}]', false)$$, $$values (0, 1, 1, 0)$$, 'one changes, the others stay'
);
select t.act_as_superuser();
select results_eq(
    $$select c.name from search.card as c where c.kind = 'lookup' order by 1$$, array['Betula alba', 'Salix'], 'names and cards are what rows say'
);
select is(
    (select sum(t.cards) from search.term as t where t.kind = 'lookup'), (select sum(cardinality(tsvector_to_array(l.document))) from search.lexical as l where l.kind = 'lookup'),
    'frequencies are exact'
);
select set_eq(
    $$select p.term_id, p.block * 32768 + unnest(p.places) from search.name_posting as p$$,
    $$select t.id, l.card_id from search.lexical as l cross join unnest(l.document) as u inner join search.term as t on t.kind = 'lookup' and t.lexeme = u.lexeme where l.kind = 'lookup'$$,
    'and each lexeme lists the names that have it'
);
select is((select t.version from lookup.lookup_table as t), 3::bigint, 'each change counts');

select * from finish();
rollback;
