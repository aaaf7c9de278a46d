begin;
select plan(5);

select search.put_model('m', 2, true);
select is(search.destroys('[1, 0]'), null, 'nothing has been learned for the model');
insert into search.destroying_goal (model, weights, intercept) values ('m', '[4, 0]', -2);
select is(round(search.destroys('[1, 0]')::numeric, 3), round((1 / (1 + exp(-2.0)))::numeric, 3), 'along the weights it is probable');
select is(round(search.destroys('[0, 1]')::numeric, 3), round((1 / (1 + exp(2.0)))::numeric, 3), 'across them the intercept decides');
select is(search.destroys(null), null, 'a goal without a vector says nothing');
select is(search.destroys('[1, 0, 0]'), null, 'nor does a vector of another length');

select * from finish();
rollback;
