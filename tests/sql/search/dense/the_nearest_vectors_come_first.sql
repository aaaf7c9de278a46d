begin;
select plan(2);

select t.make_kind('vectors');
select t.make_card('vectors', n, 'card ' || n, 'text ' || n) from generate_series(1, 8) as n;
select search.put_model('test-8', 8, true);
select t.embed_cards('vectors', 'test-8');
select results_eq(
    $$select t.ref_of(d.card_id), round(d.similarity::numeric, 3) from search.dense('vectors', t.unit_vector(8, 3, 0.5), 2, 40) as d$$,
    $$values (3::bigint, 0.894), (4, 0.447)$$, 'by cosine similarity'
);
select is((select count(*) from search.dense('vectors', t.unit_vector(8, 3), 100, 1)), 8::bigint, 'the scan goes on until enough are found');

select * from finish();
rollback;
