begin;
select plan(5);

delete from search.coefficient;
insert into search.coefficient (kind, profile, part, feature, weight)
values
('tool', 'one', 'score', 'dense', 4), ('tool', 'one', 'large', 'dense', 2), ('tool', 'one', 'confidence', 'nearest', 1),
('tool', 'two', 'score', 'dense', 1), ('tool', 'two', 'score', 'fuzzy', 3), ('tool', 'two', 'confidence', 'dense', 5);

create function pg_temp.weights(p_cards integer, variadic p_profiles text[])
returns real[]
language plpgsql
as $$
begin
    update search.kind set cards = p_cards where name = 'tool';
    return (
        select array[c.score[1 + array_position(c.features, 'dense')], c.score[1 + array_position(c.features, 'fuzzy')]]
        from search.coefficients('tool', p_profiles) as c
    );
end
$$;

select is(pg_temp.weights(0, 'one', 'two'), '{5,3}'::real[], 'the sum of both');
select is(pg_temp.weights(0, 'two', 'three'), '{1,3}'::real[], 'a profile that was not learned adds nothing');
select is(pg_temp.weights(4000, 'one', 'two'), '{2,0}'::real[], 'only one has weights for large catalogs');
select results_eq(
    $$select c.has_confidence, c.confidence_place[array_position(search.place_names(), 'nearest')], c.confidence_weights[array_position(c.features, 'dense')]
    from search.coefficients('tool', '{one,two}') as c$$, $$values (true, 1::real, 5::real)$$, 'so does the confidence'
);
select is_empty($$select * from search.coefficients('tool', '{three}')$$, 'nothing was learned');

select * from finish();
rollback;
