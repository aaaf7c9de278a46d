begin;
select plan(5);

select t.make_principal('alice'), t.act_as('alice');
select is(api.advise_goal('wie spät ist es in Berlin'), 'This goal seems to be in German. Ask in English for better results.', 'it says so');
select is(api.advise_goal('what time is it in Berlin'), null, 'nothing to say');
select is(api.advise_goal(''), null, 'of an empty goal the search says what is wrong');
select is(api.advise_goal(null), null, 'and of none');
select t.act_as(null);
select throws_ok($$select api.advise_goal('wie spät ist es in Berlin')$$, 'QM403', null, 'nobody is told nothing');

select * from finish();
rollback;
