begin;
select plan(4);

delete from search.coefficient;
select search.put_model('test-4', 4, true);
select is_empty($$select * from search.coefficients('tool', array[(search.goal_model()).name])$$, 'nothing learned, no row');
insert into search.coefficient (kind, profile, part, feature, weight)
values ('tool', 'test-4', 'score', 'intercept', -2), ('tool', 'test-4', 'score', 'dense', 3), ('tool', 'other', 'score', 'dense', 7);
select is((select c.score[1] from search.coefficients('tool', array[(search.goal_model()).name]) as c), -2::real, 'its intercept');
select is(
    (select c.score[1 + array_position(c.features, 'dense')] from search.coefficients('tool', array[(search.goal_model()).name]) as c), 3::real,
    'the weight learned with this model'
);
select is((select c.score[2] from search.coefficients('tool', array[(search.goal_model()).name]) as c), 0::real, 'what is not listed weighs nothing');

select * from finish();
rollback;
