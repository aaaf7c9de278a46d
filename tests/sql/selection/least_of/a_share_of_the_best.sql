begin;
select plan(7);

select t.make_principal('alice');
select search.put_model('test-8', 8, true);
select search.put_coefficients('tool', 'test-8', '{"score": {"dense": 1}, "large": {"dense": 1}, "confidence": {"rank": -1}}');
create function pg_temp.least_of(p_cards integer, p_goal text, variadic p_probabilities real[]) returns numeric language plpgsql as $$
begin
    update search.kind set cards = p_cards where name = 'tool';
    return (
        select round(selection.least_of(array_agg((1, 1, 0, null, 0.5, null, null, null, 0, 1, p.probability, null, null, 'tool', null)::selection.candidate), p_goal, 0.04)::numeric, 4)
        from unnest(p_probabilities) as p (probability)
    );
end
$$;
select is(pg_temp.least_of(200, 'a b c', 0.2, 0.5, null), 0.0200, 'among 200 cards: 0.04 of the best probability');
select is(pg_temp.least_of(4000, 'a b c', 0.2, 0.5, null), 0.0040, 'among 4,000 cards: 0.04 to the power of 1.5, which is 0.008');
select cmp_ok(pg_temp.least_of(894, 'a b c', 0.5), '<', 0.0100, 'in between, something in between');
select cmp_ok(pg_temp.least_of(894, 'a b c', 0.5), '>', 0.0080, 'by the share of the weights for large catalogs');
select is(pg_temp.least_of(200, repeat(' word', 40), 0.5), 0.0040, 'a long goal has the share of a large catalog');
select is(pg_temp.least_of(200, 'a b c', null, null), null, 'without a probability there is no limit');
select search.put_coefficients('tool', 'test-8', '{"score": {"dense": 1}, "confidence": {"rank": -1}}');
select is(pg_temp.least_of(4000, 'a b c', 0.5), 0.0200, 'without weights for large catalogs, all catalogs have the same');

select * from finish();
rollback;
