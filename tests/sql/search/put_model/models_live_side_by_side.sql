begin;
select plan(8);

select t.make_kind('sides');
select t.make_card('sides', 1, 'one', 'one');
select search.put_model('small', 4, true);
select search.put_model('large', 6, false);
select is(t.embed_cards('sides', 'small') + t.embed_cards('sides', 'large'), 2, 'each has its vector');
select is((select m.name from search.model as m where m.active), 'small', 'one is active');
select search.put_model('large', 6, true);
select is((select m.name from search.model as m where m.active), 'large', 'switching is one call');
select is((select count(*) from search.dense('sides', t.unit_vector(6, 1), 5, 40)), 1::bigint, 'and the new one answers');
select search.put_model('small', 4, false);
select is((select m.name from search.model as m where m.active), 'large', 'registering without activating changes nothing');
select throws_ok($$select search.put_model('small', 5, false)$$, 'QM409', null, 'a model keeps its dimension');
select ok(to_regclass('search.embedding_sides_' || m.id || '_idx') is not null, 'has an index: ' || m.name) from search.model as m order by m.id;

select * from finish();
rollback;
