begin;
select plan(2);

select t.make_kind('late');
select t.make_card('late', 1, 'one', 'apple'), t.make_card('late', 2, 'two', 'pear');
select search.put_model('test-4', 4, true);
select t.embed_cards('late', 'test-4');
select t.make_card('late', 3, 'three', 'plum');
create function pg_temp.nearness(p_goal text, p_vector ext.vector) returns table (ref bigint, dense numeric, place numeric) language sql as $$
    select
        t.ref_of(f.card_id),
        round(f.features[array_position(search.feature_names('tool'), 'dense')]::numeric, 3),
        round(f.features[array_position(search.feature_names('tool'), 'dense_rank')]::numeric, 3)
    from search.features('late', p_goal, p_vector, array(select c.id from search.card as c where c.kind = 'late')) as f
    order by 1;
$$;
select results_eq(
    $$select * from pg_temp.nearness('fruit', t.unit_vector(4, 1))$$,
    $$values (1::bigint, 1.000, 0.250), (2, 0.000, 0.200), (3, 0.000, 0.200)$$, 'no word of it is asked for: the farthest'
);
select results_eq(
    $$select * from pg_temp.nearness('plum', t.unit_vector(4, 1))$$,
    $$values (1::bigint, 1.000, 0.250), (2, 0.000, 0.167), (3, 1.000, 0.250)$$, 'the best match by words: the nearest'
);

select * from finish();
rollback;
