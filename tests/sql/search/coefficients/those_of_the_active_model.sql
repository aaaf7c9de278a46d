begin;
select plan(4);

delete from search.coefficient;
select search.put_model('test-4', 4, true);
select is_empty($$select * from search.coefficients('tool')$$, 'nothing learned, no row');
insert into search.coefficient (kind, model, feature, weight)
values ('tool', 'test-4', 'intercept', -2), ('tool', 'test-4', 'dense', 3), ('tool', 'other', 'dense', 7);
select is((select c.intercept from search.coefficients('tool') as c), -2::real, 'its intercept');
select is(
    (select c.weights[array_position(search.feature_names(), 'dense')] from search.coefficients('tool') as c), 3::real,
    'the weight learned with this model'
);
select is((select c.weights[1] from search.coefficients('tool') as c), 0::real, 'what is not listed weighs nothing');

select * from finish();
rollback;
