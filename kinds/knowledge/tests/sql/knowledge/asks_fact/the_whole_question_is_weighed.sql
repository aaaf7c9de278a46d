begin;
select plan(4);

select search.put_model('m', 2, true);
select is(knowledge.asks_fact('[0.8,0.6]'), null, 'nothing was learned for the model');
update core.setting set value = '{"m": {"intercept": -1, "weights": [0, 10]}}' where name = 'knowledge.asks_fact';
select is(knowledge.asks_fact('[0.8,0.6]'), 5::real, 'the log odds');
select is(knowledge.asks_fact('[0.8,0.6,0,-1]'), 5::real, 'the vectors of its sentences do not count');
select is(knowledge.asks_fact(null), null, 'a question without a vector');

select * from finish();
rollback;
