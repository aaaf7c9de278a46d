begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob');
select t.act_as('alice');
select count(*) from api.search_tools('ticket', top => 1, session => 's');
select t.act_as('bob');
select is(api.end_session('s'), 0, 'another''s session is not ended');
select t.act_as('alice');
select is((select count(*) from api.list_exposed('s') as e), 1::bigint, 'it is still there');
select is(api.end_session('s'), 1, 'the own one is');
select is_empty($$select * from api.list_exposed('s')$$, 'and is empty then');

select * from finish();
rollback;
