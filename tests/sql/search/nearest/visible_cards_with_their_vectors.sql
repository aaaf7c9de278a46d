begin;
select plan(8);

select t.make_principal('alice'), t.make_kind('memo');
select t.make_card('memo', 1, 'one', 'a'), t.make_card('memo', 2, 'secret', 'b'), t.make_card('memo', 3, 'three', 'c');
select is_empty($$select from search.nearest('memo', '[1, 0, 0]', 2, 2, 40)$$, 'without a model nothing is near');
select search.put_model('test-3', 3, true), t.embed_cards('memo', 'test-3');
create function pg_temp.near(p_limit integer, p_vector ext.vector default '[0, 1, 0.5]') returns text language sql security definer as $$
    select string_agg(format('%s %s %s', t.ref_of(n.card_id), round(n.similarity::numeric, 2), n.vector), ', ' order by n.place)
    from search.nearest('memo', p_vector, p_limit, p_limit, 40) with ordinality as n (card_id, similarity, vector, place)
$$;
select is(pg_temp.near(3), '2 0.89 [0,1,0], 3 0.45 [0,0,1], 1 0.00 [1,0,0]', 'nearest first');
select is(pg_temp.near(1), '2 0.89 [0,1,0]', 'no more than asked for');
select is(pg_temp.near(0), null, 'which may be none');
select is(pg_temp.near(1, null), null, 'nothing is near to no vector');
select throws_ok($$select pg_temp.near(1, '[1, 0]')$$, 'QM422', 'the query vector has 2 dimensions, but the model test-3 has 3', 'vectors of other dimensions are not compared');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "secret"}]}');
select t.act_as('alice');
select is(pg_temp.near(1), '3 0.45 [0,0,1]', 'a hidden card takes no place');
select t.act_as(null);
select throws_ok('select pg_temp.near(1)', 'QM403', null, 'nobody is near to anything');

select * from finish();
rollback;
