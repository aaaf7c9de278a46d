begin;
select plan(1);

select t.make_kind('late');
select t.make_card('late', 1, 'one', 'apple'), t.make_card('late', 2, 'two', 'pear');
select search.put_model('test-4', 4, true);
select t.embed_cards('late', 'test-4');
select t.make_card('late', 3, 'three', 'plum');
select results_eq(
    $$
        select t.ref_of(f.card_id), round(f.features[array_position(search.feature_names('tool'), 'dense')]::numeric, 3)
        from search.features('late', 'fruit', t.unit_vector(4, 1, 1), array(select c.id from search.card as c where c.kind = 'late')) as f
        order by 1
    $$,
    $$values (1::bigint, 0.707), (2, 0.707), (3, 0.707)$$, 'neither first nor last for being new'
);

select * from finish();
rollback;
