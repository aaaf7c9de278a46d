begin;
select plan(9);

select t.make_lookups(), t.make_principal('alice');
select t.act_as('alice');
select throws_ok($$select * from api.search_lookup('plnt', 'x')$$, 'QM404', null, 'an unknown table');
select throws_ok($$select * from api.search_lookup('plant', ' ')$$, 'QM422', null, 'no text');
select throws_ok($$select * from api.search_lookup('plant', repeat('x', 1000000))$$, 'QM413', null, 'a megabyte');
select throws_ok($$select * from api.search_lookup('plant', 'x', k_final => 0)$$, 'QM422', null, 'no rows');
select throws_ok($$select * from api.search_lookup('plant', 'x', k_fuzzy => 101)$$, 'QM422', null, 'too many candidates');
select throws_ok($$select * from api.search_lookup('plant', 'x', threshold => 2)$$, 'QM422', null, 'no probability');
select throws_ok($$select * from api.search_lookup('plant', 'x', properties => '{"colour": "red"}')$$, 'QM422', 'no row has the property ''colour''', 'an unknown property');
select throws_ok($$select * from api.search_lookup('plant', 'x', properties => '[]')$$, 'QM422', null, 'properties of a wrong type');
select lives_ok($$select * from api.search_lookup('plant', '?!', threshold => 0)$$, 'nothing but punctuation');

select * from finish();
rollback;
