begin;
select plan(9);

select t.make_catalog(), t.make_principal('alice');
delete from search.coefficient;
select search.put_model('test-4', 4, true);
create temporary table card as select row_number() over (order by c.id) as number, c.id from search.card as c where c.kind = 'tool';
grant select on card to public;
create function pg_temp.rated(variadic p_scores real[]) returns table (number bigint, probability numeric, place real[]) language sql as $$
    select c.number, round(r.probability::numeric, 3), r.place
    from selection.rate_cards(
        'tool',
        (
            select array_agg(
                row(c.id, 0.5, 0, 0.1 * c.number, 0, '{}', array_fill(c.number, array[cardinality(search.feature_names('tool'))]), 0, null)::search.found
                order by c.number
            )
            from card as c where c.number <= cardinality(p_scores)
        ),
        p_scores
    ) as r
    inner join card as c on c.id = r.card_id
    order by c.number;
$$;
select t.read_as('alice');
select is_empty($$select * from pg_temp.rated(0.5)$$, 'nothing was learned');
select t.act_as_superuser();
select search.put_coefficients('tool', 'test-4', '{"score": {"dense": 1}}');
select t.read_as('alice');
select is_empty($$select * from pg_temp.rated(0.5)$$, 'a score says nothing about probabilities');
select t.act_as_superuser();
select search.put_coefficients('tool', 'test-4', '{"confidence": {"odds": 1}}');
select t.read_as('alice');
select results_eq($$select r.probability from pg_temp.rated(0.25, 0.75) as r$$, $$values (0.250), (0.750)$$, 'the odds themselves');
select results_eq(
    $$select array_agg(round(p.value::numeric, 2) order by p.position) from pg_temp.rated(0.5, 0.75, 0.25) as r cross join unnest(r.place) with ordinality as p (value, position) group by r.number order by r.number$$,
    $$values ('{0.00,0.00,0.00,-1.10,0.69,1.10,0.30}'::numeric[]), ('{1.10,1.21,0.00,1.10,0.00,1.10,0.30}'), ('{-1.10,1.21,0.00,-2.20,1.10,1.10,0.30}')$$,
    'odds, their square, above 3, lead, rank, best, nearest'
);
select is((select r.place[4] from pg_temp.rated(0.9) as r), 0::real, 'a single card leads nobody');
select ok((select bool_and(r.probability between 0 and 1) from pg_temp.rated(0, 1) as r), 'a certain score is bounded');
select t.act_as_superuser();
select search.put_coefficients('tool', 'test-4', '{"confidence": {"intercept": -1, "dense": 1}}');
select t.read_as('alice');
select results_eq($$select r.probability from pg_temp.rated(0.5, 0.5) as r$$, $$values (0.500), (0.731)$$, 'features of the card count, too');
select is_empty(
    $$select * from selection.rate_cards('tool', array[row(1, 0.5, 0, 0, 0, '{}', '{}', null, null)::search.found], '{0.5}')$$, 'the score of fusion is none'
);
select is_empty(
    $$select * from selection.rate_cards('tool', array[row(1, 0.5, 0, 0, 0, '{}', array_fill(0, array[cardinality(search.feature_names('tool'))]), 0, null)::search.found], '{0.5}')$$,
    'nor is a list without vectors rated'
);

select * from finish();
rollback;
