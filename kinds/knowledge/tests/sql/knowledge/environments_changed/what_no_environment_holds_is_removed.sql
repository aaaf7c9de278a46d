begin;
select plan(2);

select t.make_project('shop', 'alice'), t.make_project('desk', 'bob');
select t.make_library('shop', 'acme'), t.make_library('shop', 'both'), t.make_library('desk', 'both');
delete from knowledge.environment as e where e.folder = '/srv/shop';
select results_eq($$select d.name from knowledge.distribution as d$$, '{both}'::text[], 'another environment holds one of the two');
select results_eq($$select c.name from search.card as c where c.kind = 'symbol'$$, '{both.send}'::text[], 'the cards of the other are gone');

select * from finish();
rollback;
